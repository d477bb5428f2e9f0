import { expect, test } from 'vitest'
import { readSkill } from './skill.ts'

const at = 'agent/skills/report.md'

test('reads name and description from the frontmatter', () => {
  expect(readSkill(at, '---\nname: monthly\ndescription: >\n  How the report\n  is made\n---\n\n# Body\n')).toEqual({
    name: 'monthly',
    description: 'How the report is made',
    location: at,
  })
})

test('a skill without frontmatter is named after its file and described by its first line', () => {
  expect(readSkill(at, '# The report\n\nText.')).toEqual({ name: 'report', description: 'The report', location: at })
})

test('a SKILL.md is named after its folder', () => {
  expect(readSkill('agent/skills/tone/SKILL.md', 'Short sentences.').name).toBe('tone')
})

test.each([
  ['---\nname: [\n---\nStill there.'],
  ['---\nname: 7\n---\nStill there.'],
  ['---\n- a list\n---\nStill there.'],
  ['---\r\nname:\r\n---\r\nStill there.'],
])('invalid frontmatter loses its name but keeps the skill: %s', (text) => {
  expect(readSkill(at, text)).toMatchObject({ name: 'report', description: 'Still there.' })
})

test('does not expand an exponentially growing alias', () => {
  const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nname: [*b,*b]\n---\nText.`
  expect(readSkill(at, bomb).name).toBe('report')
})
