/* For tests of the viewer: a server, what a page complains of, and files to give to it. */
import {createServer} from "node:http";
import {existsSync, readFileSync, statSync} from "node:fs";
import {extname, join, normalize} from "node:path";

const TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"};

/* Serves a folder on this machine. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path) || !statSync(path).isFile())
      return response.writeHead(404).end();
    response.writeHead(200, {"Content-Type": TYPES[extname(path)] ?? "application/octet-stream"}).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

/* page.complaints has what should be empty. */
export function watch(page) {
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GPU stall")))
      page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  return page;
}

/* A GLB of a JSON object and bytes. */
export function makeGlb(json, binary = Buffer.alloc(0)) {
  const text = Buffer.from(JSON.stringify(json)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const chunk = (kind, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(kind, 4);
    return [head, bytes];
  };
  const parts = [...chunk(0x4e4f534a, padded), ...binary.length ? chunk(0x004e4942, binary) : []];
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + parts.reduce((sum, part) => sum + part.length, 0), 8);
  return Buffer.concat([head, ...parts]);
}
