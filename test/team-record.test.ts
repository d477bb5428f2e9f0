import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { offerRecord } from '../src/team/team-record/store.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeTeamRecord } from './contract/team-record.contract.ts'
import { PROJECT } from './file-record.ts'
import { openHome } from './team/home.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-team-record-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
let made = 0

describeTeamRecord('over a store in memory', {
  async open() {
    const [shared, machine] = [
      await openMemoryStore({ project: PROJECT, clock: stepClock() }),
      await openMemoryStore({ project: PROJECT, clock: stepClock() }),
    ]
    return { team: offerRecord(shared), machine, close: async () => {} }
  },
})

describeTeamRecord('over a store of files', {
  async open() {
    const folder = join(base, String(++made))
    const [shared, machine] = [await openHome(join(folder, 'team'), 9), await openHome(join(folder, 'a'), 1)]
    return {
      team: offerRecord(shared.store),
      machine: machine.store,
      close: async () => {
        await shared.close()
        await machine.close()
      },
    }
  },
})
