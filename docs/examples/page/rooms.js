// Rooms to let and a form for enquiries on any page: see README.md beside this file.
const place = document.querySelector("[data-rooms-of]");
const { roomsOf, readKey, enquiryKey, locale = "ja" } = place.dataset;
const TEXTS = {
  ja: {
    loading: "読み込んでいます…",
    none: "現在、募集中のお部屋はありません。",
    month: "月額（共益費等を含む）",
    about: "この部屋について問い合わせる",
    form: "お問い合わせ",
    unit: "お部屋",
    any: "未定・その他",
    name: "お名前",
    email: "メールアドレス",
    phone: "電話番号（任意）",
    message: "お問い合わせ内容",
    send: "送信する",
    sent: "お問い合わせを受け付けました。",
    failed: "通信できませんでした。しばらくしてからもう一度お試しください。",
    busy: "混み合っています。しばらくしてからもう一度お試しください。",
  },
  en: {
    loading: "Loading…",
    none: "There are no rooms to let at the moment.",
    month: "a month, fees included",
    about: "Ask about this room",
    form: "Enquiry",
    unit: "Room",
    any: "Not decided, or something else",
    name: "Name",
    email: "Email address",
    phone: "Telephone number (optional)",
    message: "Message",
    send: "Send",
    sent: "We have received your enquiry.",
    failed: "The service could not be reached. Please try again later.",
    busy: "The service is busy. Please try again later.",
  },
}[locale];

// Texts of the service are set as text, never as HTML.
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

async function call(key, path, body) {
  const answer = await fetch(`${roomsOf}/api/agent${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { "Content-Type": "application/json" }),
    },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error(TEXTS.failed);
  });
  // What a browser may not read, and what is no JSON, is a failure on the way, too.
  const content = await answer.json().catch(() => ({ error: TEXTS.failed }));
  // 409: it arrived before, and only the answer was lost.
  if (answer.ok || answer.status === 409) return content.data;
  // 400 names what is wrong with what was typed; the rest is nothing a visitor can mend.
  throw new Error({ 400: content.error, 429: TEXTS.busy }[answer.status] ?? TEXTS.failed);
}

async function readRooms() {
  const rooms = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const data = await call(readKey, `/site/units?locale=${locale}&limit=500&page=${page}`);
    rooms.push(...data.units);
    pages = data.pagination.totalPages;
  }
  return rooms;
}

function card(room, select) {
  const [image] = room.images;
  const facts = [room.building.name, room.layout, room.sizeLabel, room.floorLabel];
  const ask = make("button", { type: "button", textContent: TEXTS.about });
  ask.addEventListener("click", () => {
    select.value = room.id;
    select.form.elements.name.focus();
  });
  return make(
    "li",
    { className: "room" },
    ...(image ? [make("img", { src: image.sizes[0].url, alt: image.alt, loading: "lazy", width: 320 })] : []),
    make("h3", { textContent: room.title }),
    make("p", { textContent: facts.filter(Boolean).join(" · ") }),
    make("p", { textContent: `${room.monthlyTotalLabel ?? room.priceLabel} ${TEXTS.month}` }),
    // The label is ready to show. A day to move in is `availability.moveInFrom`, of confirmed rooms alone.
    make("p", { className: "availability", textContent: room.availability.label }),
    ask,
  );
}

function field(text, control) {
  return make("p", {}, make("label", {}, text, make("br"), control));
}

function enquiryForm() {
  const status = make("p", { role: "status" });
  const select = make("select", { name: "unitId" }, make("option", { value: "", textContent: TEXTS.any }));
  const input = (name, type) =>
    make("input", { name, type, required: name !== "phone", autocomplete: { phone: "tel" }[name] ?? name });
  const send = make("button", { textContent: TEXTS.send });
  const form = make(
    "form",
    { className: "enquiry" },
    make("h2", { textContent: TEXTS.form }),
    field(TEXTS.unit, select),
    field(TEXTS.name, input("name", "text")),
    field(TEXTS.email, input("email", "email")),
    field(TEXTS.phone, input("phone", "tel")),
    field(TEXTS.message, make("textarea", { name: "message", rows: 5, required: true })),
    make("p", {}, send),
    status,
  );
  // One name for what was typed: sent again, for example after a lost connection, it arrives once.
  let externalId = crypto.randomUUID();
  form.addEventListener("input", () => {
    externalId = crypto.randomUUID();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = [...new FormData(form)].filter(([, text]) => text.trim());
    send.disabled = true;
    try {
      await call(enquiryKey, "/inquiries", { ...Object.fromEntries(typed), locale, externalId });
      form.reset();
      status.textContent = TEXTS.sent;
    } catch (problem) {
      status.textContent = problem.message;
    } finally {
      send.disabled = false;
    }
  });
  return { form, select };
}

async function show() {
  const status = make("p", { role: "status", textContent: TEXTS.loading });
  const list = make("ul", { className: "rooms" });
  const { form, select } = enquiryForm();
  place.append(status, list, form);
  try {
    const rooms = await readRooms();
    list.append(...rooms.map((room) => card(room, select)));
    select.append(...rooms.map((room) => make("option", { value: room.id, textContent: room.title })));
    status.textContent = rooms.length ? "" : TEXTS.none;
  } catch (problem) {
    status.textContent = problem.message;
  }
}

show();
