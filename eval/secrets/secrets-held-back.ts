import {
  ALNUM,
  BASE36,
  BASE64,
  base64,
  base64url,
  checked,
  DIGITS,
  type Draw,
  HEX,
  LOWER,
  openDraw,
  pem,
  SURROUNDINGS,
  type SecretCase,
  UPPER,
  URL64,
} from './make.ts'

/** The held-out half; most of its kinds do not occur in the tuning half. */
export function heldBackSecrets(): readonly SecretCase[] {
  const draw = openDraw(77310415)
  const tokens = Object.entries(tokenKinds(draw)).flatMap(([kind, make], i) =>
    [1, 6].map((step) => {
      const secret = make()
      return { kind, secret, text: SURROUNDINGS[(i + step) % SURROUNDINGS.length]!(secret) }
    }),
  )
  return [...tokens, ...namedValues(draw), ...places(draw)]
}

const tokenKinds = (draw: Draw): Readonly<Record<string, () => string>> => ({
  'AWS session key id': () => `ASIA${draw(`${UPPER}234567`, 16)}`,
  'GitHub app token': () => checked('ghs_', draw(ALNUM, 30)),
  'GitLab runner token': () => `glrt-${draw(URL64, 20)}`,
  'GitLab deploy token': () => `gldt-${draw(URL64, 20)}`,
  'Slack user token': () => `xoxp-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(DIGITS, 13)}-${draw(HEX, 32)}`,
  'Slack app token': () => `xapp-1-A${draw(`${UPPER}${DIGITS}`, 10)}-${draw(DIGITS, 13)}-${draw(HEX, 64)}`,
  'Stripe restricted key': () => `rk_live_${draw(ALNUM, 99)}`,
  'Square token': () => `sq0atp-${draw(URL64, 22)}`,
  'Braintree token': () => `access_token$production$${draw(BASE36, 16)}$${draw(HEX, 32)}`,
  'Plaid token': () =>
    `access-production-${draw(HEX, 8)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 12)}`,
  'Postman key': () => `PMAK-${draw(HEX, 24)}-${draw(HEX, 34)}`,
  'Pulumi token': () => `pul-${draw(HEX, 40)}`,
  'Terraform Cloud token': () => `${draw(ALNUM, 14)}.atlasv1.${draw(URL64, 67)}`,
  'Doppler token': () => `dp.pt.${draw(ALNUM, 43)}`,
  'Dynatrace token': () => `dt0c01.${draw(`${UPPER}${DIGITS}`, 24)}.${draw(`${UPPER}${DIGITS}`, 64)}`,
  'Brevo key': () => `xkeysib-${draw(HEX, 64)}-${draw(ALNUM, 16)}`,
  'Mailgun key': () => `key-${draw(HEX, 32)}`,
  'Mailgun signing key': () => `${draw(HEX, 32)}-${draw(HEX, 8)}-${draw(HEX, 8)}`,
  'PlanetScale password': () => `pscale_pw_${draw(URL64, 43)}`,
  'Prefect key': () => `pnu_${draw(ALNUM, 36)}`,
  'ReadMe key': () => `rdme_${draw(BASE36, 70)}`,
  'Airtable token': () => `pat${draw(ALNUM, 14)}.${draw(HEX, 64)}`,
  'Alibaba key id': () => `LTAI5t${draw(ALNUM, 18)}`,
  'Artifactory key': () => `AKCp${draw(ALNUM, 69)}`,
  'Clojars token': () => `CLOJARS_${draw(BASE36, 60)}`,
  'crates.io token': () => `cio${draw(ALNUM, 32)}`,
  'Dropbox token': () => `sl.${draw(URL64, 135)}`,
  'EasyPost key': () => `EZAK${draw(ALNUM, 54)}`,
  'Fly token': () => `fm2_${draw(BASE64, 160)}`,
  'Figma token': () => `figd_${draw(URL64, 40)}`,
  'Groq key': () => `gsk_${draw(ALNUM, 52)}`,
  'Perplexity key': () => `pplx-${draw(ALNUM, 48)}`,
  'Replicate token': () => `r8_${draw(ALNUM, 37)}`,
  'OpenRouter key': () => `sk-or-v1-${draw(HEX, 64)}`,
  'Pinecone key': () => `pcsk_${draw(ALNUM, 6)}_${draw(ALNUM, 63)}`,
  'Netlify token': () => `nfp_${draw(ALNUM, 36)}`,
  'Render key': () => `rnd_${draw(ALNUM, 32)}`,
  'SonarQube token': () => `squ_${draw(HEX, 40)}`,
  'Sourcegraph token': () => `sgp_${draw(HEX, 16)}_${draw(HEX, 40)}`,
  'Octopus Deploy key': () => `API-${draw(`${UPPER}${DIGITS}`, 26)}`,
  'OpenShift token': () => `sha256~${draw(URL64, 43)}`,
  'Buildkite token': () => `bkua_${draw(HEX, 40)}`,
  'Contentful token': () => `CFPAT-${draw(URL64, 43)}`,
  'HubSpot token': () => `pat-na1-${draw(HEX, 8)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 12)}`,
  'Discord bot token': () => `M${draw(ALNUM, 25)}.${draw(URL64, 6)}.${draw(URL64, 38)}`,
  'MaxMind key': () => `${draw(ALNUM, 6)}_${draw(ALNUM, 29)}_mmk`,
  'Azure DevOps token': () => `${draw(ALNUM, 76)}AZDO${draw(ALNUM, 4)}`,
  '1Password secret key': () =>
    `A3-${draw(`${UPPER}${DIGITS}`, 6)}-${draw(`${UPPER}${DIGITS}`, 11)}-${draw(`${UPPER}${DIGITS}`, 5)}-${draw(`${UPPER}${DIGITS}`, 5)}-${draw(`${UPPER}${DIGITS}`, 5)}`,
  PASETO: () => `v4.local.${draw(URL64, 120)}`,
  'Resend key': () => `re_${draw(ALNUM, 8)}_${draw(ALNUM, 24)}`,
})

function namedValues(draw: Draw): SecretCase[] {
  const of = (kind: string, secret: string, text: (secret: string) => string): SecretCase => ({
    kind,
    secret,
    text: text(secret),
  })
  return [
    of('secret key of a framework', draw(`${BASE36}!@#%^&*-_+`, 50), (v) => `DEBUG = False\nSECRET_KEY = '${v}'\n`),
    of('master key', draw(HEX, 32), (v) => `RAILS_MASTER_KEY=${v} bin/rails s\n`),
    of('Datadog key', draw(HEX, 32), (v) => `datadog:\n  apiKey: ${v}\n  site: datadoghq.eu\n`),
    of('Cloudflare token', draw(URL64, 40), (v) => `export CLOUDFLARE_API_TOKEN="${v}"\n`),
    of(
      'Snyk token',
      `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-9${draw(HEX, 3)}-${draw(HEX, 12)}`,
      (v) => `SNYK_TOKEN=${v} snyk test\n`,
    ),
    of('Okta token', `00${draw(URL64, 40)}`, (v) => `okta:\n  orgUrl: https://acme.okta.com\n  token: ${v}\n`),
    of('Twitter bearer', `${'A'.repeat(22)}${draw(ALNUM, 84)}`, (v) => `twitter_bearer_token = "${v}"\n`),
    of('letters-only password of a user', 'gingerbreadlantern', (v) => `CREATE USER report WITH PASSWORD '${v}';\n`),
    of('letters-only passphrase', 'violetharbourkettle', (v) => `PRIVATE_KEY_PASSPHRASE="${v}"\n`),
    of(
      'letters-only password in properties',
      'walnutgliderpond',
      (v) => `spring.datasource.username=shop\nspring.datasource.password=${v}\n`,
    ),
    of(
      'letters-only password in JSON',
      'copperfoxmorning',
      (v) => `{"host":"db","user":"shop","password":"${v}","ssl":true}`,
    ),
    of(
      'letters-only password in compose',
      'pebblewhisperoak',
      (v) => `    environment:\n      POSTGRES_USER: shop\n      POSTGRES_PASSWORD: ${v}\n`,
    ),
    of('digits-only password', draw(DIGITS, 10), (v) => `ftp:\n  user: upload\n  password: "${v}"\n`),
    of('password in a Dockerfile', `${draw(ALNUM, 12)}5`, (v) => `FROM node:24\nENV DB_PASSWORD ${v}\n`),
    of('password in PHP', `${draw(ALNUM, 11)}#4`, (v) => `define('DB_PASSWORD', '${v}');\n`),
    of('password in Java', `${draw(ALNUM, 12)}3`, (v) => `dataSource.setPassword("${v}");\n`),
    of('token in Python', draw(ALNUM, 36), (v) => `os.environ["SERVICE_TOKEN"] = "${v}"\n`),
    of('token in Go', draw(HEX, 40), (v) => `var apiToken = "${v}"\n`),
    of('token in Ruby', draw(BASE36, 32), (v) => `config.api_token = '${v}'\n`),
    of('token in C#', draw(BASE64, 43), (v) => `private const string AccessToken = "${v}=";\n`),
    of('token in prose', draw(BASE36, 32), (v) => `Use this for now, the api key is ${v} (expires on Friday).\n`),
    of('WireGuard key', `${draw(BASE64, 43)}=`, (v) => `[Interface]\nPrivateKey = ${v}\nAddress = 10.0.0.2/32\n`),
    of('token after a colon in chat', draw(ALNUM, 28), (v) => `QA bot: here is your token: ${v}\nme: thanks\n`),
    of('form body', draw(ALNUM, 30), (v) => `grant_type=client_credentials&client_id=web&client_secret=${v}\n`),
    of('Set-Cookie', draw(URL64, 44), (v) => `< Set-Cookie: sid=${v}; Path=/; HttpOnly\n`),
    of('GitHub Actions log', draw(ALNUM, 40), (v) => `##[debug]env NUGET_API_KEY: ${v}\n`),
    of('tfvars', draw(ALNUM, 22), (v) => `db_admin_password = "${v}!"\nregion = "eu-west-1"\n`),
    of('Helm value', `${draw(ALNUM, 16)}`, (v) => `$ helm upgrade shop ./chart --set auth.password=${v} --wait\n`),
    of('NuGet config', `${draw(ALNUM, 18)}`, (v) => `<add key="ClearTextPassword" value="${v}" />\n`),
    of('property list', draw(ALNUM, 32), (v) => `<key>ApiSecret</key>\n<string>${v}</string>\n`),
  ]
}

function places(draw: Draw): SecretCase[] {
  const of = (kind: string, secret: string, text: (secret: string) => string): SecretCase => ({
    kind,
    secret,
    text: text(secret),
  })
  const ec = pem(draw, 'EC ', 3)
  const pkcs8 = pem(draw, '', 10)
  const encrypted = pem(draw, 'ENCRYPTED ', 8)
  return [
    of(
      'mongo address',
      `${draw(ALNUM, 14)}`,
      (v) => `MONGO_URI="mongodb+srv://svc:${v}@cluster0.ab1cd.mongodb.net/app?retryWrites=true"\n`,
    ),
    of('amqp address', `${draw(ALNUM, 10)}`, (v) => `broker = amqps://worker:${v}@mq.internal:5671/%2F\n`),
    of('proxy address', `${draw(ALNUM, 9)}`, (v) => `export https_proxy=http://svc:${v}@proxy.internal:3128\n`),
    of('Go DSN', `${draw(ALNUM, 13)}`, (v) => `dsn := "app:${v}@tcp(127.0.0.1:3306)/shop?parseTime=true"\n`),
    of('JDBC address', `${draw(ALNUM, 13)}`, (v) => `jdbc:postgresql://db:5432/shop?user=app&password=${v}\n`),
    of(
      'package index address',
      `${draw(URL64, 50)}`,
      (v) => `extra-index-url = https://__token__:${v}@pypi.example.net/simple\n`,
    ),
    of(
      'Teams web hook',
      `${draw(HEX, 32)}/${draw(HEX, 8)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 12)}`,
      (v) =>
        `https://acme.webhook.office.com/webhookb2/11111111-2222-4333-8444-555555555555@66666666-7777-4888-9999-aaaaaaaaaaaa/IncomingWebhook/${v}\n`,
    ),
    of(
      'service bus',
      `${draw(BASE64, 43)}=`,
      (v) => `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${v}\n`,
    ),
    of(
      'signed S3 address',
      draw(HEX, 64),
      (v) =>
        `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260101T000000Z&X-Amz-Signature=${v}\n`,
    ),
    of(
      'curl --user',
      `${draw(ALNUM, 12)}`,
      (v) => `curl --silent --user 'svc:${v}' \\\n  https://jira.example.net/rest/api/2/myself\n`,
    ),
    of('sshpass', `${draw(ALNUM, 10)}`, (v) => `sshpass -p '${v}' ssh deploy@10.0.0.7 uptime\n`),
    of('mysql -p', `${draw(ALNUM, 11)}8`, (v) => `mysqldump -u root -p${v} shop > shop.sql\n`),
    of('identified by', `${draw(ALNUM, 12)}`, (v) => `ALTER USER 'app'@'%' IDENTIFIED BY '${v}';\n`),
    of('pgpass', `${draw(ALNUM, 12)}`, (v) => `db.internal:5432:shop:app:${v}\n`),
    of('netrc on lines', `${draw(ALNUM, 14)}`, (v) => `machine api.example.net\n  login robot\n  password ${v}\n`),
    of(
      'AWS pair without names',
      draw(BASE64, 40),
      (v) => `creds for the sandbox: AKIA${draw(`${UPPER}234567`, 16)} / ${v}\n`,
    ),
    of(
      'JSON web key',
      draw(URL64, 43),
      (v) => `{"kty":"EC","crv":"P-256","x":"${draw(URL64, 43)}","y":"${draw(URL64, 43)}","d":"${v}"}`,
    ),
    of(
      'token header of a vendor',
      draw(ALNUM, 26),
      (v) => `curl -H 'Authorization: Token token=${v}' https://api.pagerduty.com/users\n`,
    ),
    of(
      'npmrc basic auth',
      base64(`ci:${draw(ALNUM, 14)}`),
      (v) => `//repo.example.net/:_auth=${v}\nalways-auth=true\n`,
    ),
    of(
      'escaped token in a nested log',
      base64url(draw(ALNUM, 33)),
      (v) => `{"log":"{\\"level\\":\\"debug\\",\\"refresh_token\\":\\"${v}\\"}\\n"}\n`,
    ),
    of(
      'recovery phrase',
      'walnut canyon timber lyric oven pepper magic globe rescue tunnel draft olive',
      (v) => `wallet:\n  mnemonic: "${v}"\n`,
    ),
    {
      kind: 'EC key in YAML',
      secret: ec.body,
      text: `tls:\n  key: |\n${ec.text.replaceAll(/^/gm, '    ')}\n  cert: none\n`,
    },
    {
      kind: 'key in a string of code',
      secret: pkcs8.body.slice(0, 64),
      text: `const KEY =\n${pkcs8.text
        .split('\n')
        .map((line) => `  '${line}\\n' +`)
        .join('\n')}\n  ''\n`,
    },
    { kind: 'encrypted key', secret: encrypted.body, text: `$ cat id.pem\n${encrypted.text}\n` },
    {
      kind: 'key quoted in a mail',
      secret: pkcs8.body.slice(65, 129),
      text: `On Monday somebody wrote:\n${pkcs8.text.replaceAll(/^/gm, '> ')}\n`,
    },
    of('letters-only password by length', draw(LOWER, 16), (v) => `ansible_become_pass: ${v}\nansible_user: deploy\n`),
  ]
}
