// Keeps copies of the pages of work, so that they open without a network. A page may be kept only
// if its answer says whose copy it becomes; KEPT and NO_NETWORK are written above by the program.
const ASSETS = "assets";
const PAGES = "pages ";
const PATIENCE_MS = 3000;
const MOST_PAGES = 80;
const MOST_TASKS = 20;
// Photos of an inspected home: what was there on arrival is looked at where there is no network.
const PICTURE = /\/move-outs\/[0-9a-f]+\/pictures\/[0-9a-f]+\/400$/;
const MOST_PICTURES = 120;
const STALE_MS = 6 * 3600 * 1000;

addEventListener("install", (event) => event.waitUntil(fillAssets().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate") event.respondWith(page(event));
  else if (PICTURE.test(pathname)) event.respondWith(picture(request));
});

// The page that brought the worker was there before it, and is kept as well.
async function begin() {
  await tidyAssets();
  await clients.claim();
  for (const { url } of await clients.matchAll({ type: "window" })) {
    const path = new URL(url);
    path.hash = "";
    await fetch(path).then((answer) => kept(path.href, answer), () => {});
  }
}

async function fillAssets() {
  const cache = await caches.open(ASSETS);
  await cache.addAll([...KEPT, NO_NETWORK]);
}

async function tidyAssets() {
  const cache = await caches.open(ASSETS);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!KEPT.includes(pathname) && pathname !== NO_NETWORK) await cache.delete(url);
  }
}

// What is named by its content never changes.
async function asset(request) {
  return await caches.match(request.url, { ignoreVary: true }) ?? fetch(request);
}

async function page(event) {
  const { request } = event;
  const answered = fetch(request).then((answer) => kept(request.url, answer));
  event.waitUntil(answered.catch(() => {}));
  const inTime = await Promise.race([answered.catch(() => null), pause(PATIENCE_MS)]);
  return inTime ?? await copy(request.url) ?? answered.catch(() => noNetwork());
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

async function kept(url, answer) {
  const holder = answer.headers.get("Offline-Copy");
  const isList = answer.headers.has("Offline-Tasks");
  if (holder && answer.ok) await keep(url, answer.clone(), holder);
  if (holder && answer.ok && /\/move-outs\//.test(url)) keepPictures(url, await answer.clone().text(), holder);
  if (holder && answer.ok && isList) keepTasks(url, await answer.clone().text());
  // Somebody may no longer reach what they once did.
  else if (answer.status >= 400 && answer.status < 500) await forget(url);
  return answer;
}

async function keep(url, answer, holder) {
  const [person, workspace, language] = holder.split(" ");
  for (const name of await caches.keys()) {
    const [, whose, where, tongue] = name.split(" ");
    const isOld = whose !== person || where === workspace && tongue !== language;
    if (name.startsWith(PAGES) && isOld) await caches.delete(name);
  }
  const cache = await caches.open(PAGES + holder);
  if (!await cache.match(NO_NETWORK, { ignoreVary: true })) await cache.add(NO_NETWORK);
  await cache.put(url, answer);
  const [oldest, next] = await cache.keys();
  if ((await cache.keys()).length > MOST_PAGES) {
    await cache.delete(new URL(oldest.url).pathname === NO_NETWORK ? next : oldest);
  }
}

// The pictures of a kept page, in a store of the same holder, which is dropped with the pages.
async function keepPictures(url, text, holder) {
  const cache = await caches.open(`${PAGES}${holder} pictures`);
  const known = new Set((await cache.keys()).map((each) => new URL(each.url).pathname));
  const paths = new Set(text.match(/\/dashboard\/[^/"]+\/move-outs\/[0-9a-f]+\/pictures\/[0-9a-f]+\/400(?=")/g));
  for (const path of paths) {
    if (known.has(path)) continue;
    await cache.add(new URL(path, url).href).catch(() => {});
  }
  for (const each of (await cache.keys()).slice(0, -MOST_PICTURES)) await cache.delete(each);
}

async function picture(request) {
  for (const cache of await pagesOf()) {
    const found = await cache.match(request.url, { ignoreVary: true });
    if (found) return found;
  }
  return fetch(request);
}

// Whoever works on site opens the tasks of a list where there is no network.
async function keepTasks(url, text) {
  const paths = new Set(text.match(/\/dashboard\/[^/"]+\/(?:tasks|move-outs)\/[0-9a-f-]{32,}(?=")/g));
  for (const path of [...paths].slice(0, MOST_TASKS)) {
    const task = new URL(path, url).href;
    const copies = await Promise.all((await pagesOf()).map((each) => each.match(task, { ignoreVary: true })));
    const made = copies.find(Boolean)?.headers.get("Date");
    if (made && Date.now() - new Date(made) < STALE_MS) continue;
    const answer = await fetch(task, { redirect: "manual" }).catch(() => null);
    if (!answer) return;
    await kept(task, answer);
  }
}

async function pagesOf() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function forget(url) {
  for (const cache of await pagesOf()) await cache.delete(url, { ignoreVary: true });
}

// A copy says that it is one: the page then shows how old it is.
async function copy(url) {
  for (const cache of await pagesOf()) {
    const found = await cache.match(url, { ignoreVary: true });
    if (!found) continue;
    const text = (await found.text()).replace("<html ", "<html data-copy ");
    return new Response(text, { status: 200, headers: found.headers });
  }
}

async function noNetwork() {
  return await copy(NO_NETWORK) ?? caches.match(NO_NETWORK, { ignoreVary: true });
}
