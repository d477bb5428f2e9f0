import { ALNUM, BASE64, DIGITS, type Draw, HEX, type Lookalike, openDraw } from './make.ts'

export function heldBackLookalikes(): readonly Lookalike[] {
  const draw = openDraw(90210)
  return Object.entries(lookalikes(draw)).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
}

const uuid = (draw: Draw): string => `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-b${draw(HEX, 3)}-${draw(HEX, 12)}`

const lookalikes = (draw: Draw): Readonly<Record<string, readonly string[]>> => ({
  'names of things': [
    'token_type: bearer', 'grant_type=refresh_token', 'encoding: p50k_base', 'secretName: tls-wildcard-2024', 'secret_id = "prod/payments/stripe"', 'ssh_key_name = "deploy-eu-west-1"', 'KMS_KEY_ALIAS=alias/payments-v2', 'signing_key_id: "2024-03-key-1"', 'auth: jwt-rs256-v2', 'SECRET_BACKEND=aws-secretsmanager-v2',
    'PRIMARY_KEY=order_id_v2', 'partition_key: tenant1_region2', 'key: i18n.login.title2', 'apiKeyHeader: X-Api-Key-V2', 'sort_key = "created_at#v1"',
  ],
  'configuration of clouds': [
    'kms_key_id = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"', 'role: arn:aws:iam::123456789012:role/AdminRole2', 'secret_uri: https://kv-prod.vault.azure.net/secrets/db/0123', 'secretRef: external-secrets/store-7', 'tokenAudience: sts.amazonaws.com', 'client_id: 0oa2h6k8example', 'project: my-project-123456', 'AWS_PROFILE=sandbox2', 'password: ENC[AES256_GCM,data:abc]', 'token_file: /var/run/secrets/kubernetes.io/serviceaccount/token',
  ],
  'code': [
    'const key2 = keyOf(entry2)', 'for (const token of tokens2) emit(token)', 'parseToken(lexer2.next())', 'password: Joi.string().regex(/^[a-z0-9]{3,30}$/)', 'expect(body.token).toBeDefined()', 'this.apiKey = options.apiKey ?? defaultKey1', '@Inject(AUTH_TOKEN_V2) token: AuthToken2,', 'type Secret = { name: string; version2: number }',
    'function isTokenExpired(token: JwtToken2): boolean {', 'private readonly passwordEncoder = new BCryptPasswordEncoder(12);', 'map.set(cacheKey(id1), value)', 'SELECT password_hash, token_version FROM users WHERE id = $1', 'ALTER TABLE users ADD COLUMN api_key varchar(64) NOT NULL', 'password_field = page.locator("#password-input-2")', 'key={`row-${row.id}`}',
    'secret: Buffer.from(input2)', 'api_key = get_secret("weather-v2")', 'token = tokens[0] if tokens else None', 'password = getpass.getpass("Password: ")', 'auth_token: Optional[str] = None',
  ],
  'stand-ins': [
    'MYSQL_PASSWORD=secret', 'api_key: "REPLACE_WITH_YOUR_KEY"', 'token = "xxxxxxxxxxxxxxxx"', 'password: "********"', 'SECRET=dummy-secret-value', 'redis://default:password@localhost:6379', 'https://user:pass@example.com/path', 'Authorization: Bearer YOUR_ACCESS_TOKEN', `AKIA${'I44QH8DHBEXAMPLE'}`, 'apiKey: "insert-key-here"',
    'TOKEN=[redacted]', 'key: "<PASTE_KEY_HERE>"', 'password: null', 'api_key: test_key', 'curl -u username:password https://example.com', 'export TOKEN=$(pass show ci/token)', 'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'xoxb-your-token', 'password: "{{ vault_db_password }}"', 'PGPASSWORD=$POSTGRES_PASSWORD psql',
  ],
  'hashes and ids': [
    `git checkout ${draw(HEX, 40)}`, `md5: ${draw(HEX, 32)}`, `ETag: W/"${draw(HEX, 20)}"`, `go.sum h1:${draw(BASE64, 43)}=`, `resolved "https://packages.example.org/a/-/a-1.0.0.tgz#${draw(HEX, 40)}"`, `session ${uuid(draw)} started`, `fingerprint: SHA256:${draw(BASE64, 43)}`, `"build": "${draw(HEX, 12)}"`, `idempotency_key: ${uuid(draw)}`, `tokenHash = "${draw(HEX, 64)}"`,
    `secret_version_id: ${uuid(draw)}`, `"nonce": "${draw(BASE64, 24)}"`, `nextPageToken: page2`, `public-key: ${draw(HEX, 64)}`, `chunk-${draw(ALNUM, 8)}.js`, `order ${draw(DIGITS, 16)} paid`, `api_key_hash: ${draw(HEX, 64)}`,
  ],
  'prose': [
    'Tokens: 1,024 per request.', 'He lost the password twice in 2019.', 'Forgot your password? Reset it.', 'The keyword is token; the key is value.', 'Use basic auth only behind the proxy.', 'API key: see 1Password, entry "billing".', 'The password was wrong 3 times.', 'Keys: up, down, left2, right2', 'authentication: required for v2 endpoints', 'Passkeys replace the password from version 2024.1 on.',
    'Bearer tokens are validated in auth/middleware2.ts.', 'secret santa: draws on 2024-12-01', 'Password must contain 1 digit, 1 symbol and 12 characters.', 'The private key never leaves the HSM-7 module.', 'token bucket: 100r/s burst20',
  ],
  'data': [
    `ssh-rsa AAAAB3NzaC1yc2E${draw(BASE64, 300)} ci@host`, `background: url(data:font/woff2;base64,${draw(BASE64, 160)})`, 'https://hooks.example.com/services/list', 'ftp://ftp.example.com:21/pub', 'git@github.com:acme/shop.git', 'user@host:/srv/data', `vector: [0.1234, -0.5678, 0.9012]`, 'PATH=/usr/local/bin:/usr/bin', 'postgres://localhost:5432/shop', 'mailto:a@example.net?subject=token',
  ],
})
