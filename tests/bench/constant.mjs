import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

/**
 * What Node's own HTTP server sends at most: one body of 30 KB that is already compressed, one set of
 * headers. Rows of the bench are shares of it, so that figures of different machines can be compared.
 */
const body = randomBytes(30 * 1024);
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-encoding": "gzip",
  "content-length": String(body.length),
  "cache-control": "no-cache",
};

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("ready\n"));
