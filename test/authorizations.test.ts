import { describeAuthorizations } from './contract/authorizations.contract.ts'
import { openMemoryAuthorizations } from './oauth/memory-authorizations.ts'

let count = 0
describeAuthorizations('memory', async () => ({
  store: openMemoryAuthorizations(),
  addPerson: async () => `person ${++count}`,
}))
