import * as fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { jsoncText } from '../../../test/jsonc-text.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { resolvePlace } from './client.ts'
import { CLIENT_NAMES, clientPlaces, CLIENTS, type ClientName } from './clients.ts'
import { planChange, type FileChange } from './file-change.ts'
import { upsertJson } from './json-edit.ts'
import { skillFile, SKILLS } from './skills.ts'
import { clientChanges } from './wiring.ts'

const places = clientPlaces({ home: '/home/u', project: '/home/u/p', platform: 'linux', env: {} })

function changesOf(name: ClientName, mode: 'add' | 'remove'): FileChange[] {
  const client = CLIENTS[name]
  const serverPath = resolvePlace(client.server.project.places[0]!, places)
  return clientChanges(
    {
      client,
      scope: 'project',
      places,
      platform: 'linux',
      launcher: ['/bin/ken'],
      serverPath,
      withHooks: true,
      withSkills: true,
    },
    mode,
  )
}

describe('every client', () => {
  it('has a unique name, and a root name means the same folder for all clients', () => {
    expect(new Set(CLIENT_NAMES).size).toBe(CLIENT_NAMES.length)
    const roots = Object.values(CLIENTS).flatMap((client) => Object.entries(client.roots))
    for (const [name, find] of roots) for (const [other, same] of roots) if (other === name) expect(same).toBe(find)
  })

  it.each(CLIENT_NAMES)('%s is removed from exactly the files it was added to', (name) => {
    expect(changesOf(name, 'remove').map((change) => change.path)).toEqual(
      changesOf(name, 'add').map((change) => change.path),
    )
  })

  it('restores every JSON text with other contents, whatever its layout, even with later additions', () => {
    const files = CLIENT_NAMES.flatMap((name) => changesOf(name, 'add')).filter(
      (change) => change.path.endsWith('.json') && change.add('{}', false).kept === undefined,
    )
    expect(files.length).toBeGreaterThan(8)
    fc.assert(
      fc.property(jsoncText(), fc.constantFrom(...files), (text, change) => {
        const added = unlessRefused(() => planChange(change, 'add', { text, receipt: undefined }))
        if (added === undefined) return
        const receipt = added.receipt!
        expect(planChange(change, 'remove', { text: added.after, receipt }).after).toBe(text)
        expect(planChange(change, 'add', { text: added.after, receipt }).action).toBe('none')
        expect(change.remove(added.after!, text).text).toBe(text)
        const since = upsertJson(added.after!, ['since'], 1)
        const left = planChange(change, 'remove', { text: since, receipt }).after!
        expect(read(left)).toEqual({ ...(read(text) as object), since: 1 })
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('skills', () => {
  it.each(SKILLS.map((skill) => [skill.name, skill] as const))(
    '%s has the name of its folder and a one-line description of when to use it',
    (name, skill) => {
      const { path, content } = skillFile(skill, 'skill')
      expect(path).toBe(`${name}/SKILL.md`)
      expect(content).toMatch(new RegExp(`^---\\nname: ${name}\\ndescription: [^\\n:]{40,300}\\n---\\n\\n# `))
      expect(skillFile(skill, 'rule').path).toBe(`${name}.mdc`)
    },
  )
})

const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true })

function unlessRefused<T>(plan: () => T): T | undefined {
  try {
    return plan()
  } catch (thrown) {
    expect((thrown as AppError).code).toBe('damaged')
    return undefined
  }
}
