import { expect, test } from 'vitest'
import { redactSecrets } from './redact.ts'

// Assembled at run time, so that no scanner takes this file for a leak.
const of = (...parts: readonly string[]): string => parts.join('')
const upper = 'QWERTYUIOPASDF12'
const mixed = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'
const base64Line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const pem = (kind: string): string =>
  [
    '-----BEGIN ',
    kind,
    'PRIVATE KEY',
    '-----\n',
    `${base64Line}\n`.repeat(4),
    '-----END ',
    kind,
    'PRIVATE KEY',
    '-----',
  ].join('')

const SECRETS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'an AWS access key id': [`key ${of('AK', 'IA', upper)} here`, of('AK', 'IA', upper)],
  'an AWS secret key in an env file': [`AWS_SECRET_ACCESS_${'KEY'}=${mixed}AbCd\nregion=eu`, `${mixed}AbCd`],
  'an AWS secret key in quotes': [`"secretAccessKey": "${mixed}AbCd"`, `${mixed}AbCd`],
  'a token of a team server': [
    `use ${of('ken', '_p_', mixed, 'abcDEF1234567')} here`,
    of('ken', '_p_', mixed, 'abcDEF1234567'),
  ],
  'a GitHub token': [`use ${of('gh', 'p_', mixed)} to clone`, of('gh', 'p_', mixed)],
  'a fine-grained GitHub token': [
    `t: ${of('github', '_pat_', mixed, mixed, 'abcDEF1234')}`,
    of('github', '_pat_', mixed, mixed, 'abcDEF1234'),
  ],
  'a GitHub token as the user of a remote': [`https://${mixed}:x-oauth-basic@github.com/a/b.git`, mixed],
  'a Slack token': [`${of('xox', 'b-')}123456789012-123456789012-${mixed.slice(0, 24)}`, mixed.slice(0, 24)],
  'a Slack webhook': [
    `curl https://hooks.${'slack'}.com/services/T00AA11BB/B00AA11BB/${mixed.slice(0, 24)}`,
    mixed.slice(0, 24),
  ],
  'an npm token': [`//registry.example/:_auth${'Token'}=${of('npm', '_', mixed)}`, of('npm', '_', mixed)],
  'a private key': [`before\n${pem('RSA ')}\nafter`, base64Line],
  'a private key in JSON': [JSON.stringify({ key: pem('') }), base64Line],
  'a private key that was cut off': [pem('EC ').split('-----END')[0]!, base64Line],
  'a basic-auth address': [`https://deploy:${of('s3cr', 'etpass')}@example.com/x`, of('s3cr', 'etpass')],
  'a password in a connection address': [
    `postgresql://app:${of('tr0ub4', 'dor&3')}@db.internal:5432/shop?ssl=true`,
    of('tr0ub4', 'dor&3'),
  ],
  'a password with an @ in it': [`mysql://root:${of('p@ss', 'w0rd!')}@127.0.0.1/shop`, of('p@ss', 'w0rd!')],
  'a password without a user': [`redis://:${of('hunter', '2hunter2')}@cache:6379`, of('hunter', '2hunter2')],
  'a Stripe key': [`${of('sk', '_live_')}${mixed}`, mixed],
  'a JWT': [`cookie=${of('ey', 'J')}hbGciOiJIUzI1NiJ9.${of('ey', 'J')}zdWIiOiIxMjM0NTY3ODkwIn0.${mixed}`, mixed],
  'a bearer token': [`Authorization: ${of('Bear', 'er')} ${mixed}`, mixed],
  'an OpenAI-like key': [`OPENAI=${of('sk', '-proj-')}${mixed}_${mixed}`, mixed],
  'a value named password': [`db:\n  ${of('pass', 'word')}: "c0rrect-h0rse"\n`, 'c0rrect-h0rse'],
  'a value named api key': [`${of('API', '_KEY')}=${mixed}\n`, mixed],
}

test.each(Object.entries(SECRETS))('%s is masked and counted', async (_name, [text, secret]) => {
  const redacted = redactSecrets(text)
  expect(redacted.text).not.toContain(secret)
  expect(redacted.text).toContain('[redacted]')
  expect(redacted.count).toBeGreaterThan(0)
})

test.each(Object.entries(SECRETS))('%s is not redacted again after it was masked once', async (_name, [text]) => {
  const once = redactSecrets(text)
  expect(redactSecrets(once.text)).toEqual({ text: once.text, count: 0 })
})

test('only the value is removed: names, hosts and surrounding lines stay', async () => {
  const text = `url: postgres://app:${of('s3cr', 'etpass')}@db:5432/shop\nAWS_SECRET_ACCESS_${'KEY'}=${mixed}AbCd\nplain`
  const redacted = redactSecrets(text)
  expect(redacted).toEqual({
    text: 'url: postgres://app:[redacted]@db:5432/shop\nAWS_SECRET_ACCESS_KEY=[redacted]\nplain',
    count: 2,
  })
})

test('line numbers stay the same after a private key is removed', async () => {
  const text = `one\n${pem('')}\nlast`
  const redacted = redactSecrets(text)
  expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length)
  expect(redacted.text.endsWith('\nlast')).toBe(true)
})

test('a comment in the text cannot disable the rules', async () => {
  const redacted = redactSecrets(`# secretlint-disable\n${token}\n`)
  expect(redacted.text).not.toContain(token)
})

test.each([
  'The secret of a good token is the access it gives: password, api key, bearer.',
  'const token = request.headers2.authorization.token\npassword: z.string().min(12)\nsecret = sha256(secret)',
  'postgres://user:${PGPASSWORD}@localhost/db and http://localhost:3000/a@b',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----',
  'task-3f9c1a2b4d5e6f708192a3b4c5d6e7f80912 is a branch; sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
])('ordinary text is returned unchanged: %s', async (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 })
})

test.each(['password=', 'password:', 'token =', 'DB_PASSWORD: ', 'contraseña:', 'password=\\'])(
  'an empty %j leaves the next line unchanged',
  (name) => {
    for (const text of [`${name}\nhost9=db-7f3k2m9q\n`, `${name}\n  node7Primary\n`, `{"a":"${name}\\nhost9 db"}`])
      expect(redactSecrets(text)).toEqual({ text, count: 0 })
  },
)

const token = of('gh', 'p_', mixed)
const hex64 = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const words = 'canyon timber lyric oven pepper magic globe rescue tunnel draft olive walnut'
const encode = (text: string, encoding: BufferEncoding): string => Buffer.from(text).toString(encoding)
const each = (spell: (code: string) => string): string =>
  Array.from(token, (letter) => spell(letter.charCodeAt(0).toString(16).padStart(2, '0'))).join('')

test.each<[kind: string, text: string, clean: string]>([
  [
    'words between name and value',
    `the password for the NAS is heron606Xvcs.`,
    'the password for the NAS is [redacted].',
  ],
  ['a key without a verb', `- aws secret ${mixed}AbCd`, '- aws secret [redacted]'],
  ['German', 'Das Passwort lautet: Reiher606Xvcs', 'Das Passwort lautet: [redacted]'],
  ['German configuration', 'kennwort: Amsel109Nugj', 'kennwort: [redacted]'],
  ['French', 'le mot de passe est heron606Xvcs', 'le mot de passe est [redacted]'],
  ['a French key', `La clé secrète est ${mixed}.`, 'La clé secrète est [redacted].'],
  ['Spanish', 'la contraseña del servidor es garza014Bker', 'la contraseña del servidor es [redacted]'],
  ['guillemets', 'mot de passe : « heron606Xvcs »', 'mot de passe : « [redacted] »'],
  [
    'a default',
    `variable "db_password" {\n  type = string\n  default = "Wxwy08!H2r"\n}`,
    `variable "db_password" {\n  type = string\n  default = "[redacted]"\n}`,
  ],
  ['a hexadecimal key', `deployer private key 0x${hex64}`, 'deployer private key [redacted]'],
  ['seed words', `my seed phrase is ${words}`, 'my seed phrase is [redacted]'],
  ['seed words between quotes', `const ALICE = "${words}"`, 'const ALICE = "[redacted]"'],
  ['base64', `blob ${encode(token, 'base64')} end`, 'blob [redacted] end'],
  ['hexadecimal', `blob ${encode(token, 'hex')} end`, 'blob [redacted] end'],
  ['UTF-16 in base64', `-enc ${Buffer.from(`$t = "${token}"`, 'utf16le').toString('base64')}`, '-enc [redacted]'],
  ['a key block in base64', `client-key-data: ${encode(pem(''), 'base64')}`, 'client-key-data: [redacted]'],
  ['percent signs', `q=${each((code) => `%${code}`)}&a=1`, 'q=[redacted]&a=1'],
  ['escapes', `"${each((code) => `\\u00${code}`)}"`, '"[redacted]"'],
  ['zero-width characters', `use ${token.slice(0, 9)}\u200B${token.slice(9)} here`, 'use [redacted] here'],
  ['literals', `t = "${token.slice(0, 9)}" +\n  "${token.slice(9)}"`, 't = "[redacted]\n"'],
  [
    'a list of letters',
    `[${[...token].map((letter) => `'${letter}'`).join(', ')}].join('')`,
    `['[redacted]'].join('')`,
  ],
  ['spaced letters', `it is ${[...token].join(' ')} then`, 'it is [redacted] then'],
  ['a wrapped line', `${token.slice(0, 22)}\n${token.slice(22)}\n$`, '[redacted]\n\n$'],
])('a secret is masked in %s', (_kind, text, clean) => {
  expect(redactSecrets(text).text).toBe(clean)
})

test.each([
  'client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJJakFOQmdrcWhraUc5dzBCQVFFRkFBT0NBUThBCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K',
  'variable "db_password" {\n  type = string\n  default = ""\n}\nvariable "region9" { default = "eu-west-1" }',
  'The password is checked with argon2 before the session token is issued by the server.',
  'Das Passwort wird mit SHA-256 geprüft, der Schlüssel der Tabelle ist kunden_nr2.',
  'La clave primaria es pedido_id2; la clave foránea es cliente_id.',
  'const list = ["alpha", "beta"].join("") + "gamma" + "delta"',
  'seed words are words that people write down and never show anybody else again',
])('a look-alike stays unchanged: %s', (text) => {
  expect(redactSecrets(text)).toEqual({ text, count: 0 })
})

test('a complete token at the end of a line leaves the next line unchanged', () => {
  expect(redactSecrets(`${token}\nexport const a = 1`).text).toBe('[redacted]\nexport const a = 1')
})

const REPEATED = [
  '" + "',
  '\\x41',
  '%41',
  'g ',
  'a\u200Bb',
  'seed abc ',
  '"abc def ',
  'the password for ',
  'variable "password" {',
  "'].join('')",
  'LS0tLS1CRUdJ',
  'abcdefghijklmnopqrst\n',
  'token=',
  'A_KEY=',
  'password: "',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
  '-eyJ',
  'pypi-A',
  '://a:b@',
  'Cookie: a=',
  '--password ',
  'curl -u a',
  '&sig=',
  'sk-proj-',
  '12345678:A',
  "IDENTIFIED BY '",
  'a',
] as const

test.each(REPEATED)('a text that repeats %j thirty thousand times is processed in linear time', (piece) => {
  const text = piece.repeat(30_000)
  expect(redactSecrets(text).text.length).toBeGreaterThan(0)
})

test('finds a token after an escape, a colour and a percent sign', () => {
  for (const before of ['{"out":"done\\n', '\u001b[32m', 'q=token%3D', '\\u0022'])
    expect(redactSecrets(`${before}${token}`).text).toBe(`${before}[redacted]`)
})

test('never redacts the ids, hashes and numbers that Ken writes', () => {
  const hashes = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  for (const text of [
    `#${hashes.slice(0, 12)}`,
    hashes,
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    `{"files":{"decisions/001-a.md":"${hashes}"},"id":"0d4f0a4e-8a51-4d5c-9a3e-0f1c2b3a4d5e"}`,
    `sha256:${hashes}`,
    `"hash": "${hashes}"`,
  ]) {
    expect(redactSecrets(text)).toEqual({ text, count: 0 })
  }
})
