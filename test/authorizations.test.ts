import { openMemoryAuthorizations } from '../src/team/authorizations/memory/index.ts'
import { describeAuthorizations } from './contract/authorizations.contract.ts'

let count = 0
describeAuthorizations('memory', async () => ({
  store: openMemoryAuthorizations(),
  addPerson: async () => `person ${++count}`,
}))
