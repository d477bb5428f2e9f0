// Another process that needs a token: `node show-token.ts <home> <server>` prints the token's hash.
import { openLogins } from '../../src/app/auth/open-logins.ts'
import { hashOfSecret } from '../../src/team/domain/token.ts'

const [home, server] = process.argv.slice(2)
const token = await openLogins(home!).tokenFor(server!)
process.stdout.write(token === undefined ? 'none' : hashOfSecret(token))
