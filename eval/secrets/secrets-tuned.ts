import {
  ALNUM,
  BASE36,
  BASE64,
  base64,
  checked,
  DIGITS,
  type Draw,
  HEX,
  jwt,
  LOWER,
  openDraw,
  pem,
  SURROUNDINGS,
  type SecretCase,
  UPPER,
  URL64,
} from './make.ts'

/** The tuning half. */
export function tunedSecrets(): readonly SecretCase[] {
  const draw = openDraw(20260304)
  const tokens = Object.entries(tokenKinds(draw)).flatMap(([kind, make], i) =>
    [0, 3].map((step) => {
      const secret = make()
      return { kind, secret, text: SURROUNDINGS[(i + step) % SURROUNDINGS.length]!(secret) }
    }),
  )
  return [...tokens, ...namedValues(draw), ...places(draw)]
}

const tokenKinds = (draw: Draw): Readonly<Record<string, () => string>> => ({
  'AWS access key id': () => `AKIA${draw(`${UPPER}234567`, 16)}`,
  'GitHub token': () => checked('ghp_', draw(ALNUM, 30)),
  'GitHub fine-grained token': () => `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
  'GitLab token': () => `glpat-${draw(URL64, 20)}`,
  'npm token': () => checked('npm_', draw(ALNUM, 30)),
  'PyPI token': () => `pypi-AgEIcHlwaS5vcmc${draw(URL64, 120)}`,
  'Slack bot token': () => `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 13)}-${draw(ALNUM, 24)}`,
  'Stripe secret key': () => `sk_live_${draw(ALNUM, 24)}`,
  'Stripe webhook secret': () => `whsec_${draw(ALNUM, 32)}`,
  'Google API key': () => `AIza${draw(URL64, 35)}`,
  'Google OAuth client secret': () => `GOCSPX-${draw(URL64, 28)}`,
  'Google access token': () => `ya29.${draw(URL64, 120)}`,
  'OpenAI project key': () => `sk-proj-${draw(URL64, 74)}T3BlbkFJ${draw(URL64, 74)}`,
  'OpenAI old key': () => `sk-${draw(ALNUM, 20)}T3BlbkFJ${draw(ALNUM, 20)}`,
  'Anthropic key': () => `sk-ant-api03-${draw(URL64, 93)}AA`,
  'Twilio API key': () => `SK${draw(HEX, 32)}`,
  'Telegram bot token': () => `${draw('123456789', 10)}:AA${draw(URL64, 33)}`,
  'Mailchimp key': () => `${draw(HEX, 32)}-us14`,
  'DigitalOcean token': () => `dop_v1_${draw(HEX, 64)}`,
  'age key': () => `AGE-SECRET-KEY-1${draw('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'Facebook page token': () => `EAAC${draw(ALNUM, 160)}`,
  'SendGrid key': () => `SG.${draw(URL64, 22)}.${draw(URL64, 43)}`,
  'Hugging Face token': () => `hf_${draw(`${LOWER}${UPPER}`, 34)}`,
  'Databricks token': () => `dapi${draw(HEX, 32)}`,
  'Docker Hub token': () => `dckr_pat_${draw(URL64, 27)}`,
  'Vault service token': () => `hvs.${draw(URL64, 95)}`,
  'Shopify token': () => `shpat_${draw(HEX, 32)}`,
  'Linear key': () => `lin_api_${draw(ALNUM, 40)}`,
  'Notion token': () => `ntn_${draw(DIGITS, 11)}${draw(ALNUM, 35)}`,
  'Grafana service account token': () => `glsa_${draw(ALNUM, 32)}_${draw(HEX, 8)}`,
  'Azure client secret': () => `${draw(ALNUM, 3)}8Q~${draw(`${ALNUM}~.-_`, 33)}`,
  'Sentry user token': () => `sntryu_${draw(HEX, 64)}`,
  'New Relic user key': () => `NRAK-${draw(`${UPPER}${DIGITS}`, 27)}`,
  'Atlassian token': () => `ATATT3x${draw(URL64, 185)}`,
  'RubyGems key': () => `rubygems_${draw(HEX, 48)}`,
  'JSON web token': () => jwt(draw, { sub: '4711', role: 'admin', exp: 1790000000 }),
  'Supabase secret key': () => `sbp_${draw(HEX, 40)}`,
  'Tailscale key': () => `tskey-auth-k${draw(ALNUM, 11)}CNTRL-${draw(ALNUM, 32)}`,
})

function namedValues(draw: Draw): SecretCase[] {
  const of = (kind: string, secret: string, text: (secret: string) => string): SecretCase => ({
    kind,
    secret,
    text: text(secret),
  })
  return [
    of('AWS secret in an env file', draw(BASE64, 40), (v) => `AWS_REGION=eu-central-1\nAWS_SECRET_ACCESS_KEY=${v}\n`),
    of('AWS secret in JSON', draw(BASE64, 40), (v) => `{ "region": "eu-west-1", "secretAccessKey": "${v}" }`),
    of(
      'password in an env file',
      `${draw(LOWER, 4)}${draw(DIGITS, 3)}${draw(UPPER, 3)}!`,
      (v) => `DB_HOST=db.internal\nDB_PASSWORD=${v}\nDB_NAME=shop\n`,
    ),
    of(
      'letters-only password in an env file',
      'bluecactusmeadow',
      (v) => `MYSQL_ROOT_PASSWORD=${v}\nMYSQL_DATABASE=shop\n`,
    ),
    of(
      'letters-only password in YAML',
      'thunderriverstone',
      (v) => `database:\n  user: shop\n  password: ${v}\n  pool: 5\n`,
    ),
    of(
      'letters-only password in quotes',
      'marmaladeskyline',
      (v) => `const pool = createPool({ user: 'shop', password: '${v}', max: 10 })\n`,
    ),
    of('password with symbols', `Tr0ub${draw(ALNUM, 3)}&3#x`, (v) => `smtp:\n  host: mail.internal\n  pass: "${v}"\n`),
    of('password in TOML', `${draw(ALNUM, 14)}`, (v) => `[postgres]\nuser = "app"\npassword = "${v}"\n`),
    of('password in INI', `${draw(BASE36, 10)}9x`, (v) => `[client]\nuser=backup\npassword=${v}\n`),
    of('key of high entropy', draw(BASE64, 44), (v) => `export ENCRYPTION_KEY=${v}\n`),
    of('key in hex', draw(HEX, 64), (v) => `SESSION_SIGNING_KEY=${v}\nPORT=8080\n`),
    of('vendor key by name', draw(HEX, 32), (v) => `ALGOLIA_ADMIN_API_KEY: ${v}\n`),
    of(
      'key as a UUID',
      `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-a${draw(HEX, 3)}-${draw(HEX, 12)}`,
      (v) => `HEROKU_API_KEY=${v}\n`,
    ),
    of(
      'token in a query string',
      draw(ALNUM, 32),
      (v) => `GET https://api.example.net/v2/items?limit=10&access_token=${v}&page=2 200\n`,
    ),
    of('token as a flag', draw(BASE36, 40), (v) => `$ deployctl push --token ${v} --env prod\n`),
    of(
      'password as a flag',
      `kettle${draw(DIGITS, 4)}Moon`,
      (v) => `$ psqlx --host db --user app --password ${v} --dbname shop\n`,
    ),
    of('custom header', draw(ALNUM, 40), (v) => `curl https://api.example.net/v1/me -H "X-Api-Key: ${v}"\n`),
    of('bearer header', draw(URL64, 48), (v) => `fetch(url, { headers: { Authorization: 'Bearer ${v}' } })\n`),
    of(
      'basic header',
      base64(`deploy:${draw(ALNUM, 12)}`),
      (v) => `> GET /repo HTTP/1.1\n> Authorization: Basic ${v}\n> Accept: */*\n`,
    ),
    of('Kubernetes secret', base64(draw(ALNUM, 18)), (v) => `apiVersion: v1\nkind: Secret\ndata:\n  password: ${v}\n`),
    of(
      'Docker auth',
      base64(`robot:${draw(ALNUM, 16)}`),
      (v) => `{ "auths": { "registry.example.net": { "auth": "${v}" } } }`,
    ),
    of(
      'npmrc auth token',
      `${draw(HEX, 8)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 4)}-${draw(HEX, 12)}`,
      (v) => `//npm.example.net/:_authToken=${v}\n`,
    ),
    of(
      'client secret in JSON',
      draw(ALNUM, 40),
      (v) => `{"client_id":"web-app","client_secret":"${v}","redirect_uris":["https://app.example.net/cb"]}`,
    ),
    of(
      'password in prose',
      `heron${draw(DIGITS, 3)}Lamp`,
      (v) => `The staging login is qa@example.net and the password is ${v}, ask me if it fails.\n`,
    ),
    of(
      'escaped JSON in a log',
      draw(ALNUM, 24),
      (v) => `{"message":"body: {\\"user\\":\\"app\\",\\"api_key\\":\\"${v}\\"}"}\n`,
    ),
    of(
      'environment of a container',
      `${draw(ALNUM, 16)}`,
      (v) => `env:\n  - name: REDIS_PASSWORD\n    value: "${v}"\n`,
    ),
    of(
      'XML element',
      `${draw(ALNUM, 15)}1`,
      (v) => `<server>\n  <username>ci</username>\n  <password>${v}</password>\n</server>\n`,
    ),
    of('table cell', `${draw(ALNUM, 12)}7`, (v) => `| setting | value |\n| --- | --- |\n| password | ${v} |\n`),
  ]
}

function places(draw: Draw): SecretCase[] {
  const of = (kind: string, secret: string, text: (secret: string) => string): SecretCase => ({
    kind,
    secret,
    text: text(secret),
  })
  const rsa = pem(draw, 'RSA ', 12)
  const openssh = pem(draw, 'OPENSSH ', 6)
  return [
    of('postgres address', `${draw(ALNUM, 12)}`, (v) => `DATABASE_URL=postgresql://app:${v}@db.internal:5432/shop\n`),
    of('redis address without a user', `${draw(ALNUM, 20)}`, (v) => `cache: redis://:${v}@cache.internal:6379/0\n`),
    of('address with @ in the password', `p@ss${draw(ALNUM, 6)}!`, (v) => `mysql://root:${v}@127.0.0.1/shop\n`),
    of('git remote', draw(HEX, 40), (v) => `origin  https://${v}:x-oauth-basic@github.com/a/b.git (fetch)\n`),
    of('Sentry DSN', draw(HEX, 32), (v) => `Sentry.init({ dsn: 'https://${v}@o45012.ingest.sentry.io/4506' })\n`),
    of(
      'Slack web hook',
      `T${draw(`${UPPER}${DIGITS}`, 8)}/B${draw(`${UPPER}${DIGITS}`, 8)}/${draw(ALNUM, 24)}`,
      (v) => `curl -X POST https://hooks.${'slack'}.com/services/${v}\n`,
    ),
    of(
      'Discord web hook',
      draw(URL64, 68),
      (v) => `webhook: https://discord.com/api/webhooks/112233445566778899/${v}\n`,
    ),
    of('netrc', `${draw(ALNUM, 12)}`, (v) => `machine git.example.net login ci password ${v}\n`),
    of('curl -u', `${draw(ALNUM, 14)}`, (v) => `$ curl -sf -u admin:${v} https://nexus.example.net/service/rest\n`),
    of(
      'Azure SAS',
      `${draw(ALNUM, 40)}%2B${draw(ALNUM, 3)}%3D`,
      (v) => `https://acct.blob.core.windows.net/data/a.csv?sv=2023-11-03&se=2026-01-01&sp=r&sig=${v}\n`,
    ),
    of(
      'Azure account key',
      `${draw(BASE64, 86)}==`,
      (v) => `DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=${v};EndpointSuffix=core.windows.net\n`,
    ),
    of(
      'ADO connection string',
      `${draw(ALNUM, 14)}!`,
      (v) => `"Server=tcp:sql.example.net,1433;User ID=app;Password=${v};Encrypt=True;"\n`,
    ),
    { kind: 'private key block', secret: rsa.body, text: `Here is the key:\n${rsa.text}\nkeep it safe\n` },
    {
      kind: 'private key in JSON',
      secret: openssh.body.replaceAll('\n', '\\n'),
      text: JSON.stringify({ name: 'deploy', key: openssh.text }),
    },
    {
      kind: 'private key that was cut off',
      secret: rsa.body.slice(0, 300),
      text: rsa.text.slice(0, rsa.text.indexOf(rsa.body) + 300),
    },
  ]
}
