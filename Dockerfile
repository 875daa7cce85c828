ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS build
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE} AS dependencies
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force

FROM ${NODE}
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /site
RUN install -d -o node -g node -m 0700 /data
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
