import { crc32 } from 'node:zlib'
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
  jwt,
  LOWER,
  openDraw,
  pem,
  type SecretCase,
  UPPER,
  URL64,
} from './make.ts'

type Make = (draw: Draw) => readonly [secret: string, text: string]

/**
 * Secrets as people and programs write them: in sentences of four languages, in configuration with name and value
 * apart, encoded, split, and as words. A hash of the kind decides the half, so that adding a case does not move
 * another.
 */
export function secretsAsWritten(half: 'tuned' | 'kept back'): readonly SecretCase[] {
  return Object.entries(CASES)
    .filter(([kind]) => (crc32(kind) % 2 === 0 ? 'tuned' : 'kept back') === half)
    .map(([kind, make]) => {
      const [secret, text] = make(openDraw(crc32(kind)))
      return { kind, secret, text }
    })
}

const SEEDS = [
  'canyon timber lyric oven pepper magic globe rescue tunnel draft olive walnut',
  'velvet orbit jungle acid maple shrimp tower ladder coral fiction puzzle window',
  'hazard silver embark galaxy noodle trumpet cradle ivory monster quantum ribbon saddle',
  'anchor basket cereal dolphin elbow fabric garlic hybrid island jacket kidney lizard mammal napkin oyster patrol rabbit salmon tobacco umbrella vacuum wagon yellow zebra',
  'brave copper dismiss essay flavor gossip humble initial junior kangaroo library misery noble orphan potato',
]

const github = (draw: Draw): string => checked('ghp_', draw(ALNUM, 30))
const word = (draw: Draw, stem: string): string => `${stem}${draw(DIGITS, 3)}${draw(UPPER, 1)}${draw(LOWER, 3)}`
const strong = (draw: Draw): string =>
  `${draw(UPPER, 1)}${draw(LOWER, 3)}${draw(DIGITS, 2)}!${draw(ALNUM, 6)}${draw(DIGITS, 1)}`
const hex = (text: string): string => Buffer.from(text).toString('hex')
const each = (text: string, spell: (character: string) => string): string => Array.from(text, spell).join('')
const code = (character: string, width = 2): string => character.charCodeAt(0).toString(16).padStart(width, '0')
const lines = (text: string, width: number): string => text.match(new RegExp(`.{1,${width}}`, 'g'))!.join('\n')
const put = (secret: string, text: (secret: string) => string): readonly [string, string] => [secret, text(secret)]

const CASES: Readonly<Record<string, Make>> = {
  // English sentences
  'aws secret is': (d) =>
    put(d(BASE64, 40), (v) => `For the backups the aws secret is ${v} and the region is eu-west-1.\n`),
  'aws secret without a verb': (d) => put(d(BASE64, 40), (v) => `- aws secret ${v}\n- region eu-central-1\n`),
  'aws secret key of a person': (d) =>
    put(d(BASE64, 40), (v) => `Here's my AWS secret access key, don't share it: ${v}\n`),
  'password for a machine': (d) => put(word(d, 'heron'), (v) => `the password for the staging database is ${v}\n`),
  'password set to': (d) => put(strong(d), (v) => `I changed the admin password on the NAS to ${v} this morning\n`),
  'log in with': (d) => put(word(d, 'Lantern'), (v) => `Log in as deploy with the password ${v} and restart it.\n`),
  'credentials pair': (d) => put(strong(d), (v) => `Credentials for the vendor portal: ops@example.net / ${v}\n`),
  'token in quotes later': (d) => put(d(ALNUM, 40), (v) => `The token you need for the CI runner is "${v}".\n`),
  'key in brackets': (d) => put(d(HEX, 32), (v) => `we use one API key (${v}) for all tenants\n`),
  'hex signing secret': (d) => put(d(HEX, 64), (v) => `Signing secret of the webhook endpoint → ${v}\n`),
  'rotated to': (d) => put(d(ALNUM, 32), (v) => `rotated the client secret yesterday, new one is ${v}\n`),
  'encryption key in a chat': (d) =>
    put(`${d(BASE64, 43)}=`, (v) => `anna: which encryption key does prod use?\nben: prod encryption key = ${v}\n`),
  'license key': (d) =>
    put([1, 2, 3, 4, 5].map(() => d(`${UPPER}${DIGITS}`, 5)).join('-'), (v) => `License key for the renderer: ${v}\n`),
  'wifi password': (d) => put(word(d, 'Kettle'), (v) => `Office wifi: SSID fern, password ${v}\n`),
  'one-time seed': (d) => put(d(`${UPPER}234567`, 32), (v) => `TOTP secret for the root account: ${v}\n`),
  'secret in a bullet with a dash': (d) => put(d(ALNUM, 36), (v) => `* webhook secret - ${v}\n`),
  'passphrase of a key': (d) => put(word(d, 'Quarry'), (v) => `ssh key is in the vault, its passphrase is "${v}"\n`),
  'pin and token': (d) => put(d(BASE36, 36), (v) => `Use token ${v} for the importer until Monday.\n`),
  // German
  'Passwort lautet': (d) => put(word(d, 'Reiher'), (v) => `Das Passwort lautet: ${v}\n`),
  'Passwort für etwas ist': (d) =>
    put(strong(d), (v) => `Das Passwort für den Testserver ist ${v}, bitte nicht weitergeben.\n`),
  'Kennwort in YAML': (d) => put(word(d, 'Amsel'), (v) => `datenbank:\n  benutzer: shop\n  kennwort: ${v}\n`),
  Zugangsdaten: (d) => put(strong(d), (v) => `Zugangsdaten: Benutzer admin, Kennwort ${v}\n`),
  'geheimer Schlüssel': (d) => put(d(ALNUM, 40), (v) => `Der geheime Schlüssel der Schnittstelle lautet ${v}.\n`),
  'API-Schlüssel': (d) => put(d(HEX, 40), (v) => `API-Schlüssel: ${v}\n`),
  DB_PASSWORT: () => put('birnbaumlaterne', (v) => `DB_BENUTZER=shop\nDB_PASSWORT=${v}\n`),
  Zugriffstoken: (d) => put(d(BASE36, 44), (v) => `Mein Zugriffstoken ist ${v} und läuft am Freitag ab.\n`),
  'Schlüssel in JSON': (d) => put(d(ALNUM, 36), (v) => `{"dienst":"karten","geheimschluessel":"${v}"}`),
  // French
  'mot de passe est': (d) => put(word(d, 'heron'), (v) => `le mot de passe est ${v}\n`),
  'mot de passe de la base': (d) => put(strong(d), (v) => `Le mot de passe de la base de production est « ${v} ».\n`),
  mdp: (d) => put(word(d, 'cerise'), (v) => `identifiant : admin\nmdp : ${v}\n`),
  'clé secrète': (d) => put(d(ALNUM, 40), (v) => `La clé secrète du service est ${v}.\n`),
  "clé d'API": (d) => put(d(HEX, 32), (v) => `Clé d'API : ${v}\n`),
  "jeton d'accès": (d) => put(d(URL64, 40), (v) => `Voici le jeton d'accès pour le dépôt : ${v}\n`),
  'mot_de_passe in INI': () => put('framboisierlune', (v) => `[base]\nutilisateur=boutique\nmot_de_passe=${v}\n`),
  'phrase secrète': (d) => put(word(d, 'Marronnier'), (v) => `phrase secrète: "${v}"\n`),
  // Spanish
  'contraseña es': (d) => put(word(d, 'garza'), (v) => `la contraseña es ${v}\n`),
  'contraseña del servidor': (d) => put(strong(d), (v) => `La contraseña del servidor de pruebas es ${v}.\n`),
  'contrasena without tilde': (d) => put(word(d, 'limon'), (v) => `usuario=admin\ncontrasena=${v}\n`),
  'clave secreta': (d) => put(d(ALNUM, 40), (v) => `Clave secreta: ${v}\n`),
  'clave de acceso': (d) => put(strong(d), (v) => `usuario: admin, clave: ${v}\n`),
  'clave de API': (d) => put(d(HEX, 32), (v) => `La clave de API para pagos es ${v}\n`),
  CLAVE_PRIVADA: (d) => put(d(HEX, 64), (v) => `CLAVE_PRIVADA=${v}\n`),
  // Tokens
  'Sentry organisation token': (d) =>
    put(
      `sntrys_${base64(`{"iat":1${d(DIGITS, 9)},"url":"https://sentry.io"}`)}_${d(BASE64, 43)}`,
      (v) => `sentry-cli --auth ${v} releases list\n`,
    ),
  'Sentry organisation token, opaque': (d) => put(`sntrys_${d(URL64, 64)}`, (v) => `we deploy with ${v} for now\n`),
  'Sentry user token': (d) => put(`sntryu_${d(HEX, 64)}`, (v) => `auth ${v}\n`),
  'Sentry user token, mixed': (d) =>
    put(`sntryu_${d(ALNUM, 48)}`, (v) => `curl -H "X-Auth: ${v}" https://sentry.io/api/0/\n`),
  'unknown vendor, live key': (d) => put(`qvx_live_${d(ALNUM, 40)}`, (v) => `client = Quivex("${v}")\n`),
  'unknown vendor, personal token': (d) => put(`zorpat_${d(ALNUM, 36)}`, (v) => `$ zorp login ${v}\n`),
  'unknown vendor, secret key': (d) => put(`brk-secret-${d(ALNUM, 44)}`, (v) => `init('${v}')\n`),
  'Langfuse secret': (d) =>
    put(`sk-lf-${d(HEX, 8)}-${d(HEX, 4)}-${d(HEX, 4)}-${d(HEX, 4)}-${d(HEX, 12)}`, (v) => `Langfuse(sk="${v}")\n`),
  'bitcoin WIF': (d) =>
    put(`5K${d('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 49)}`, (v) => `import ${v}\n`),
  'bitcoin WIF compressed': (d) =>
    put(`L${d('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 51)}`, (v) => `wallet WIF: ${v}\n`),
  // Name and value apart
  'kubeconfig client key': (d) => {
    const { text } = pem(d, 'RSA ', 6)
    return put(base64(`${text}\n`), (v) => `users:\n- name: admin\n  user:\n    client-key-data: ${v}\n`)
  },
  'kubeconfig client key, cut': (d) =>
    put(d(BASE64, 300), (v) => `    client-certificate-data: LS0tLS1CRUdJTiBDRVJU\n    client-key-data: ${v}\n`),
  'Terraform variable': (d) =>
    put(strong(d), (v) => `variable "db_password" {\n  type    = string\n  default = "${v}"\n}\n`),
  'Terraform variable in a line': (d) => put(d(ALNUM, 32), (v) => `variable "api_token" { default = "${v}" }\n`),
  'Terraform variable with words': () =>
    put(
      'larkspurcanoe',
      (v) =>
        `variable "db_password" {\n  description = "for the shop"\n  sensitive   = true\n  default     = "${v}"\n}\n`,
    ),
  'CloudFormation default': (d) =>
    put(strong(d), (v) => `Parameters:\n  DBPassword:\n    Type: String\n    NoEcho: true\n    Default: ${v}\n`),
  'argument default': (d) =>
    put(word(d, 'Otter'), (v) => `parser.add_argument("--password", type=str, default="${v}")\n`),
  'schema default': (d) => put(d(ALNUM, 30), (v) => `{"properties":{"apiToken":{"type":"string","default":"${v}"}}}`),
  'environment fallback': (d) => put(d(ALNUM, 28), (v) => `const secret = process.env.JWT_SECRET || '${v}'\n`),
  'getenv default': (d) => put(word(d, 'Badger'), (v) => `DB_PASSWORD = os.getenv("DB_PASSWORD", "${v}")\n`),
  'shell fallback': (d) => put(strong(d).replace('!', 'x'), (v) => `PASS="\${DB_PASSWORD:-${v}}"\n`),
  'systemd unit': (d) => put(word(d, 'Falcon'), (v) => `[Service]\nEnvironment="SMTP_PASSWORD=${v}"\n`),
  'array of pairs': (d) => put(d(ALNUM, 32), (v) => `headers = [["x-api-key", "${v}"]]\n`),
  'CSV export': (d) => put(strong(d), (v) => `url,username,password\nhttps://example.net,anna,${v}\n`),
  'value a line below': (d) => put(d(ALNUM, 40), (v) => `API token:\n${v}\n`),
  'XML attribute pair': (d) =>
    put(word(d, 'Puffin'), (v) => `<property name="hibernate.connection.password">${v}</property>\n`),
  // Wallets
  'Ethereum key beside a word': (d) => put(`0x${d(HEX, 64)}`, (v) => `deployer private key ${v}\n`),
  'Ethereum key in a list': (d) => put(`0x${d(HEX, 64)}`, (v) => `Private Keys\n==================\n(0) ${v}\n`),
  'hex key without a mark': (d) =>
    put(d(HEX, 64), (v) => `The wallet's private key is ${v}; fund it on testnet only.\n`),
  'accounts of a config': (d) =>
    put(`0x${d(HEX, 64)}`, (v) => `sepolia: { url: rpc, accounts: { privateKey: "${v}" } }\n`),
  'Solana key pair': (d) =>
    put(
      Array.from({ length: 64 }, () => String(Number.parseInt(d(HEX, 2), 16))).join(','),
      (v) => `solana secret key: [${v}]\n`,
    ),
  'seed phrase in prose': () => put(SEEDS[0]!, (v) => `my seed phrase is ${v}\n`),
  'recovery phrase in quotes': () => put(SEEDS[1]!, (v) => `Recovery phrase: "${v}"\n`),
  'mnemonic in code': () => put(SEEDS[2]!, (v) => `const wallet = Wallet.fromMnemonic('${v}')\n`),
  'seed of 24 words': () => put(SEEDS[3]!, (v) => `wallet seed:\n${v}\n`),
  'seed as a numbered list': () =>
    put(
      SEEDS[4]!
        .split(' ')
        .map((w, i) => `${i + 1}. ${w}`)
        .join('\n'),
      (v) => `Backup words of the wallet\n${v}\n`,
    ),
  'seed in quotes alone': () =>
    put(SEEDS[0]!.split(' ').toReversed().join(' '), (v) => `export const ALICE = "${v}"\n`),
  'seed with commas': () => put(SEEDS[1]!.split(' ').toReversed().join(', '), (v) => `mnemonic words: ${v}\n`),
  // Encodings
  'base64 of a token': (d) => put(base64(github(d)), (v) => `echo ${v} | base64 -d\n`),
  'base64url of a token': (d) => put(base64url(`x${github(d)}`), (v) => `{"blob":"${v}"}`),
  'base64 of an environment file': (d) =>
    put(base64(`PORT=8080\nDB_PASSWORD=${strong(d)}\n`), (v) => `env_file: ${v}\n`),
  'base64 of an address': (d) => put(base64(`postgres://app:${d(ALNUM, 14)}@db/shop`), (v) => `data:\n  url: ${v}\n`),
  'base64 of a key, wrapped': (d) => put(lines(base64(pem(d, '', 6).text), 76), (v) => `cert.b64\n\n${v}\n`),
  'base64 of a JSON key file': (d) =>
    put(base64(JSON.stringify({ type: 'service_account', private_key: pem(d, '', 4).text })), (v) => `GCP=${v}\n`),
  'docker config': (d) =>
    put(
      base64(JSON.stringify({ auths: { 'r.example.net': { auth: base64(`bot:${d(ALNUM, 16)}`) } } })),
      (v) => `  .dockerconfigjson: ${v}\n`,
    ),
  'hex of a token': (d) => put(hex(github(d)), (v) => `payload ${v}\n`),
  'percent-encoded token': (d) =>
    put(
      each(github(d), (c) => `%${code(c)}`),
      (v) => `GET /cb?state=${v} 302\n`,
    ),
  'token with an encoded underscore': (d) => put(github(d).replace('_', '%5F'), (v) => `GET /cb?t=${v} 302\n`),
  'escaped letters': (d) =>
    put(
      each(github(d), (c) => `\\x${code(c)}`),
      (v) => `s = "${v}"\n`,
    ),
  'unicode escapes': (d) =>
    put(
      each(github(d), (c) => `\\u${code(c, 4)}`),
      (v) => `s = "${v}"\n`,
    ),
  'HTML references': (d) =>
    put(
      each(github(d), (c) => `&#${c.charCodeAt(0)};`),
      (v) => `<td>${v}</td>\n`,
    ),
  'base64 of a signed token': (d) => put(base64(jwt(d, { sub: d(DIGITS, 8) })), (v) => `session blob ${v}\n`),
  // Split
  'zero-width space': (d) => put(github(d).replace(/.{12}/, '$&\u200B'), (v) => `use ${v} here\n`),
  'zero-width joiners everywhere': (d) =>
    put(
      each(github(d), (c) => `${c}\u200D`),
      (v) => `use ${v} here\n`,
    ),
  'soft hyphen in a password': (d) => put(strong(d).replace(/.{4}/, '$&\u00AD'), (v) => `password: ${v}\n`),
  'word joiner in a key id': (d) => put(`AK\u2060IA${d(`${UPPER}234567`, 16)}`, (v) => `id ${v}\n`),
  'literals with a plus': (d) => put(github(d).replace(/.{8}/, '$&" + "'), (v) => `const t = "${v}"\n`),
  'literals in three pieces': (d) => put(github(d).replace(/(.{4})(.{14})/, "$1' + '$2' + '"), (v) => `t = '${v}'\n`),
  'literals over lines': (d) => put(github(d).replace(/.{16}/, '$&" +\n    "'), (v) => `String t = "${v}";\n`),
  'literals with a dot': (d) => put(github(d).replace(/.{10}/, "$&' . '"), (v) => `$t = '${v}';\n`),
  'adjacent literals': (d) => put(github(d).replace(/.{10}/, '$&"\n  "'), (v) => `t = ("${v}")\n`),
  'literals joined': (d) => put(github(d).replace(/(.{4})(.{12})/, "$1', '$2', '"), (v) => `t = ['${v}'].join('')\n`),
  'password in two literals': (d) => put(`${d(ALNUM, 7)}' + '${d(ALNUM, 6)}4`, (v) => `password = '${v}'\n`),
  'line continued by a backslash': (d) => put(github(d).replace(/.{20}/, '$&\\\n'), (v) => `export T=${v}\n`),
  'spaced letters': (d) => put([...github(d)].join(' '), (v) => `it is ${v} without the spaces\n`),
  'letters with dashes': (d) => put([...github(d)].join('-'), (v) => `spell it: ${v}\n`),
  'wrapped by a terminal': (d) => put(github(d).replace(/.{22}/, '$&\n'), (v) => `$ gh auth token\n${v}\n$\n`),
  'letters in a list': (d) => put([...github(d)].map((c) => `"${c}"`).join(', '), (v) => `t = "".join([${v}])\n`),
}
