import { ALNUM, BASE64, type Draw, HEX, type Lookalike, openDraw, UPPER } from './make.ts'

export function tunedLookalikes(): readonly Lookalike[] {
  const draw = openDraw(551)
  return Object.entries(lookalikes(draw)).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
}

const uuid = (draw: Draw): string => `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-a${draw(HEX, 3)}-${draw(HEX, 12)}`

const lookalikes = (draw: Draw): Readonly<Record<string, readonly string[]>> => ({
  'names of tokenizers and models': ['token: cl100k_base', 'tokenizer = "o200k_base"', 'model: text-embedding-3-large\ntoken_limit: 8191', 'secret sauce: gpt-4o-mini-2024-07-18'],
  'design tokens': ['"token": "color-blue-500"', '--token-spacing-4: 16px;', 'tokens.color.primary600 = "#1a2b3c"', 'design_token: "radius-md-8"'],
  'names in a secret manager': [
    'secret: arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/db-AbCdEf', 'password_secret: projects/4711/secrets/db-password/versions/3', 'valueFrom:\n  secretKeyRef:\n    name: db-credentials-v2\n    key: password',
    'api_key: op://Private/service/api-key', 'token: vault:secret/data/ci#token', 'keyVaultSecret: kv-prod-eu1-db-password',
  ],
  'identifiers that begin like a key': ['sk-estimator-pipeline-with-large-context-v2-2024', 'npm run build:sk-learn-adapter-2-with-everything-on', 'import { AKIAProvider } from "./akia.ts"', 'hf_hub_download_with_progress_bar_v2'],
  'keys of documentation': [
    `aws_access_key_id = AKIA${'IOSFODNN7EXAMPLE'}`, `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/${'bPxRfiCYEXAMPLEKEY'}`, `stripe.api_key = "sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}"`, `export GITHUB_TOKEN=ghp_${'x'.repeat(36)}`,
    'OPENAI_API_KEY=sk-...', 'password = "changeme"', 'API_KEY=your-api-key-here', 'token: <your-token>', 'DB_PASSWORD=password123', 'postgres://user:password@localhost:5432/db',
  ],
  'calls and variables': [
    'const auth = getToken2FromHeader(request)', 'password: hashPassword(input.password)', 'const token = request.headers2.authorization.token', 'password: z.string().min(12)', 'secret = sha256(secret)', 'let apiKey = config.services.apiKey1',
    'if (password !== confirmPassword) throw new Error("mismatch")', 'token = await this.refreshToken(user2)', 'def login(username: str, password: SecretStr) -> Token:', 'api_key=settings.API_KEY_V2,',
  ],
  'references': [
    'PASSWORD=${DB_PASSWORD}', 'apiKey: process.env.API_KEY_V2', 'token: ${{ secrets.GITHUB_TOKEN }}', 'password: {{ .Values.db.password }}', 'SECRET_KEY = os.environ["SECRET_KEY"]', 'postgres://app:${PGPASSWORD}@db/shop',
    'password = var.db_password', 'curl -H "Authorization: Bearer $TOKEN" https://api.example.net', 'api_key: !secret weather_api_key', 'Authorization: Bearer <token>', 'curl -u "$USER:$PASS" https://example.net', 'password: %DB_PASSWORD%',
  ],
  'hashes and ids': [
    `commit ${draw(HEX, 40)}`, `sha256:${draw(HEX, 64)}`, `"integrity": "sha512-${draw(BASE64, 86)}=="`, `request id ${uuid(draw)}`, `etag: "${draw(HEX, 32)}"`, `"hash": "${draw(HEX, 64)}"`, `id: 01J${draw('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`,
    `password_hash: ${draw(HEX, 64)}`, `image: app@sha256:${draw(HEX, 64)}`, `trace_id=${draw(HEX, 32)} span_id=${draw(HEX, 16)}`, `cacheKey: ${draw(HEX, 40)}`, `token_id: ${uuid(draw)}`, `"key": "users/${draw(HEX, 32)}/avatar.png"`,
  ],
  'prose': [
    'The secret of a good token is the access it gives: password, api key, bearer.', 'Password: required, at least twelve characters.', 'We chose bearer authentication over basic authentication for the API.', 'The token is refreshed every 15 minutes.', 'Rotate the key every 90 days; see docs/keys-2024.md.',
    'password policy: minimum 14 characters', 'A password is never logged.', 'Passwords: hashed with argon2id19', 'Token usage: 12345 in, 678 out', 'The api key was moved to the vault in 2023.',
  ],
  'data': [
    `<img src="data:image/png;base64,${draw(BASE64, 200)}">`, '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${draw(BASE64, 43)} deploy@host`, `public_key: "${draw(BASE64, 44)}"`,
    'https://example.net/a/b/c?page=2&sort=name#top', 'http://localhost:3000/a@b', 'password: /run/secrets/db_password', 'token_url: https://login.example.net/oauth2/v2.0/token', 'version: 1.2.3-rc4+build.2024', `sourceMappingURL=data:application/json;base64,${draw(BASE64, 120)}`,
    `-----BEGIN CERTIFICATE-----\n${draw(BASE64, 64)}\n${draw(BASE64, 64)}\n-----END CERTIFICATE-----`, `slug: ${draw(ALNUM, 6)}-${draw(UPPER, 3)}`,
  ],
})
