import { afterEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/kernel/domain/sha256.ts'
import type { Store } from '../../src/record/ports/store.ts'
import type { TeamPush, TeamRecord } from '../../src/team/ports/team-record.ts'

export interface TeamRecordSubject {
  /** The team's record, empty, and the store of a machine that is also empty. */
  open(): Promise<{ team: TeamRecord; machine: Store; close(): Promise<void> }>
}

const ORIGIN = { surface: 'cli' } as const

/** Contract of src/team/ports/team-record.ts for every back end. */
export function describeTeamRecord(name: string, subject: TeamRecordSubject): void {
  const opened: (() => Promise<void>)[] = []
  const open = async () => {
    const made = await subject.open()
    opened.push(made.close)
    return made
  }
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })

  /** One change made on a machine, followed by a push of all its lines that the team does not have yet. */
  async function pushOf(machine: Store, path: string, text: string, known = 0): Promise<TeamPush> {
    const before = await machine.read(path)
    await machine.commit(ORIGIN, async (draft) => draft.write(path, text))
    const lines = await machine.history.lines()
    return {
      id: lines.at(-1)!.sha256,
      base: known === 0 ? null : lines[known - 1]!.sha256,
      files: [{ path, before: before === undefined ? null : sha256(before), text }],
      lines: lines.slice(known).map((line) => line.text),
    }
  }

  describe(`${name}: the team's record`, () => {
    test('pushed files are listed with their hash and read by it, and lines are returned unchanged', async () => {
      const { team, machine } = await open()
      expect(await team.manifest({})).toEqual({ revision: null, files: [] })
      const push = await pushOf(machine, 'stack.md', '# Stack\n')
      expect(await team.push(push)).toEqual({ status: 'landed', revision: push.id })
      expect(await team.manifest({})).toEqual({
        revision: push.id,
        files: [{ path: 'stack.md', sha256: sha256('# Stack\n') }],
      })
      expect(await team.texts(new Map([['stack.md', sha256('# Stack\n')]]))).toEqual(
        new Map([['stack.md', '# Stack\n']]),
      )
      expect(await team.texts(new Map([['stack.md', sha256('other')]]))).toEqual(new Map())
      expect(await team.lines({})).toEqual({ revision: push.id, lines: push.lines })
    })

    test('if a revision is given, only later changes are returned', async () => {
      const { team, machine } = await open()
      const first = await pushOf(machine, 'stack.md', 'one')
      await team.push(first)
      const second = await pushOf(machine, 'project.md', 'two', 1)
      await team.push(second)
      expect((await team.manifest({ since: first.id })).files.map(({ path }) => path)).toEqual(['project.md'])
      expect((await team.lines({ since: first.id })).lines).toEqual(second.lines)
      expect((await team.manifest({ since: second.id })).files).toEqual([])
      await expect(team.manifest({ since: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a repeated push is answered as landed and changes nothing', async () => {
      const { team, machine } = await open()
      const push = await pushOf(machine, 'stack.md', 'one')
      await team.push(push)
      expect(await team.push(push)).toEqual({ status: 'landed', revision: push.id })
      expect((await team.lines({})).lines).toEqual(push.lines)
    })

    test('a push on an older revision or another text lands nothing and returns the current state', async () => {
      const { team, machine } = await open()
      const first = await pushOf(machine, 'stack.md', 'one')
      await team.push(first)
      const second = await pushOf(machine, 'stack.md', 'two', 1)
      const now = [{ path: 'stack.md', sha256: sha256('one') }]
      expect(await team.push({ ...second, base: null })).toEqual({ status: 'conflict', revision: first.id, files: now })
      const stale = { ...second, files: [{ ...second.files[0]!, before: sha256('zero') }] }
      expect(await team.push(stale)).toEqual({ status: 'conflict', revision: first.id, files: now })
      expect((await team.lines({})).lines).toEqual(first.lines)
    })

    test.each<[string, (push: TeamPush) => TeamPush]>([
      ['a text that its lines do not tell', (push) => ({ ...push, files: [{ ...push.files[0]!, text: 'forged' }] })],
      ['lines without the file they change', (push) => ({ ...push, files: [] })],
      ['a line that was changed', (push) => ({ ...push, lines: push.lines.map((line) => line.replace('cli', 'app')) })],
      ['another name than its last line', (push) => ({ ...push, id: '0'.repeat(64) })],
    ])('a push with %s is refused completely', async (_what, spoil) => {
      const { team, machine } = await open()
      const push = await pushOf(machine, 'stack.md', 'one')
      await expect(team.push(spoil(push))).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await team.manifest({})).toEqual({ revision: null, files: [] })
    })

    test.each(['journal/events.jsonl', '../outside.md', 'notes.txt', 'decisions/.hidden.md'])(
      'a push of %s is forbidden',
      async (path) => {
        const { team, machine } = await open()
        const push = await pushOf(machine, 'stack.md', 'one')
        const files = [...push.files, { path, before: null, text: 'x' }]
        await expect(team.push({ ...push, files })).rejects.toMatchObject({ code: 'forbidden' })
      },
    )
  })
}
