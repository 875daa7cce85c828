ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE} AS dependencies
WORKDIR /site
COPY package.json package-lock.json ./
# TypeScript comes along as a peer of the framework. With it, declarations and source maps are two fifths of the whole.
RUN npm ci --omit=dev \
  && rm -r node_modules/typescript node_modules/.bin \
  && find node_modules -name "*.map" -delete -o -name "*.d.[cm]ts" -delete -o -name "*.d.ts" -delete

FROM ${NODE}
# Of its own ports a container publishes only what it is told to. Memory: docs/decisions/0067-memory.md.
ENV NODE_ENV=production DATA_DIR=/data METRICS_HOST=0.0.0.0 MALLOC_ARENA_MAX=2
WORKDIR /site
# 1000 is the user `node`.
RUN install -d -o 1000 -g 1000 -m 0700 /data
COPY --from=dependencies /site/node_modules node_modules
COPY --from=build /site/build build
COPY package.json ./
COPY server/start.mjs server/cli.mjs server/
COPY server/start server/start
COPY server/content server/content
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: the signal to stop must reach the site itself.
CMD ["node", "server/start.mjs"]
