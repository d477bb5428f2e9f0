# The team server. It keeps nothing: run it read-only, as any user, as often as you like.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packed
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# What .dockerignore lets through and nothing else.
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/kenbase-*.tgz /tmp/kenbase.tgz

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS installed
COPY --from=packed /tmp/kenbase.tgz /tmp/kenbase.tgz
# Mail, passkeys and OpenID Connect are peers that a team server uses.
RUN npm install --prefix /opt/ken --omit=dev --ignore-scripts --no-audit --no-fund \
      /tmp/kenbase.tgz nodemailer@10 @simplewebauthn/server@14 openid-client@6

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ENV NODE_ENV=production NODE_DISABLE_COMPILE_CACHE=1 KEN_HOME=/tmp/ken
# Contexts come from git repositories, over https.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY --from=installed /opt/ken /opt/ken
# A volume that is mounted here first belongs to the user below.
RUN install -d -o 1000 -g 1000 -m 700 /backups
USER 1000:1000
EXPOSE 4872 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4872/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/ken/node_modules/kenbase/bin/ken.js", "server"]
CMD ["--host", "0.0.0.0", "--port", "4872", "--metrics-port", "9090"]
