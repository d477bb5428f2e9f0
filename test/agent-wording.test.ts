import { describe, expect, test } from 'vitest'
import { isOffered } from '../src/operations/registry-entry.ts'
import { REGISTRY } from '../src/operations/registry.ts'
import { agentsMdBody } from '../src/setup/domain/agents-md.ts'
import { SKILLS } from '../src/setup/domain/skills.ts'
import { instructionsFor } from '../src/surfaces/mcp/instructions.ts'
import { PROMPTS } from '../src/surfaces/mcp/prompts.ts'

const WITH_RECORD = instructionsFor({ record: 'here', memory: true })
const TEXTS: readonly (readonly [string, string])[] = [
  ['the instructions of a server', WITH_RECORD],
  ['the block of AGENTS.md', agentsMdBody({ name: 'Orchard', id: '01J' }, undefined)],
  ...SKILLS.map(({ name, body }) => [`the skill ${name}`, body] as const),
  ...PROMPTS.map((prompt) => [`the prompt ${prompt.name}`, prompt.text(undefined)] as const),
]

const named = (text: string): string[] =>
  REGISTRY.filter(({ name }) => name.includes('_') && new RegExp(`\\b${name}\\b`).test(text)).map(({ name }) => name)

describe.each(TEXTS)('%s', (_title, text) => {
  test('names only tools that the smallest server has', () => {
    const offered = REGISTRY.filter((entry) => isOffered(entry, ['agent'])).map(({ name }) => name)
    expect(offered).toEqual(expect.arrayContaining(named(text)))
    expect(named(text)).not.toEqual([])
  })
})

test('skills name only commands that exist', () => {
  const commands = new Set(REGISTRY.flatMap(({ command }) => command))
  const used = SKILLS.flatMap(({ body }) =>
    [...body.matchAll(/`ken ([a-z][a-z -]*?)(?= [<"…]|`)/g)].map(([, words]) => words!),
  )
  expect(used).toEqual(expect.arrayContaining(['guard', 'drift', 'questions', 'check']))
  expect(used.filter((words) => !commands.has(words))).toEqual([])
})

test('skills refer only to skills that exist', () => {
  const names = SKILLS.map(({ name }) => name)
  const used = SKILLS.flatMap(({ body }) => [...body.matchAll(/skill (ken-[a-z]+)/g)].map(([, name]) => name!))
  expect(used).not.toEqual([])
  expect(names).toEqual(expect.arrayContaining(used))
})

test.each([
  ['the instructions', WITH_RECORD],
  ['AGENTS.md', agentsMdBody({ name: 'Orchard', id: '01J' }, undefined)],
  ['a skill', SKILLS.find(({ name }) => name === 'ken-recall')!.body],
])('%s: covers when to look back, when to write a note, when to check', (_title, text) => {
  expect(named(text)).toEqual(expect.arrayContaining(['memory_query', 'memory_get', 'memory_write', 'check_decision']))
})

test('a server without a record, or without the memory, mentions no tool that it lacks', () => {
  expect(named(instructionsFor({ record: 'missing', memory: true }))).toEqual([
    'memory_query',
    'memory_get',
    'memory_write',
  ])
  expect(
    named(instructionsFor({ record: 'not offered', memory: true })).every((name) => name.startsWith('memory_')),
  ).toBe(true)
  expect(named(instructionsFor({ record: 'here', memory: false })).some((name) => name.startsWith('memory_'))).toBe(
    false,
  )
  expect(instructionsFor({ record: 'any', memory: true })).toMatch(/no record: make no more calls/)
})

test('the session start is not requested again if a hook already provided it', () => {
  expect(WITH_RECORD).toMatch(/get_context.*<ken-context-…>.*already in the conversation/)
  expect(agentsMdBody({ name: 'Orchard', id: '01J' }, undefined)).toMatch(/get_context.*unless its answer is already/)
})
