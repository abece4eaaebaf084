// Photos are made small on the device: 1,600 px and JPEG, so that a weak network carries them.
const LONGEST = 1600;

async function small(file) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  // What the browser cannot read the program may, or it says what it wants instead.
  if (!picture) return file;
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const paper = canvas.getContext("2d");
  paper.fillStyle = "white";
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
  return made ? new File([made], file.name.replace(/\.\w+$|$/, ".jpg"), { type: made.type }) : file;
}

async function shrink(tap) {
  const parts = [];
  for (const [name, value] of tap.parts) {
    parts.push([name, value instanceof File ? await small(value) : value]);
  }
  Object.assign(tap, { parts, isSmall: true });
  // Another tab may have sent it meanwhile.
  if (await store("get", tap.key)) await store("put", tap);
}
