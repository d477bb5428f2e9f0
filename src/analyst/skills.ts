import type { ContextFiles } from '../context/ports/context-files.ts'
import { readSkill, type Skill } from './domain/skill.ts'

const FOLDER = 'agent/skills'
const MOST = 200

/** The skills of a context project by name; an unreadable file is skipped. */
export async function readSkills(files: ContextFiles): Promise<readonly Skill[]> {
  const found = await files.list(FOLDER).catch(() => [])
  const skills = await Promise.all(
    found
      .filter(({ path }) => /\.md$/i.test(path) && !/(?:^|\/)references?\//.test(path.slice(FOLDER.length)))
      .slice(0, MOST)
      .map(({ path }) =>
        files.read(path).then(
          (text) => readSkill(path, text),
          () => undefined,
        ),
      ),
  )
  return skills.filter((skill) => skill !== undefined)
}

/** The skill named by `/name`; undefined if there is none, e.g. for a path. */
export function skillNamed(skills: readonly Skill[], name: string): Skill | undefined {
  const wanted = name.toLowerCase()
  return skills.find((skill) => skill.name.toLowerCase() === wanted)
}
