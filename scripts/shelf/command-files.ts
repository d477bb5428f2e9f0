import { COMMANDS, commandTemplate, type Command } from '../../src/setup/domain/commands.ts'
import { SKILLS, skillFile } from '../../src/setup/domain/skills.ts'

/** `/ken:check` for a Claude Code plugin. */
export const claudeCommands = (): Record<string, string> => markdown('', ['argument-hint'])

/** `/ken/check` for OpenCode. */
export const opencodeCommands = (): Record<string, string> => markdown('ken/', [])

/** `/ken:check` for Gemini CLI. */
export function geminiCommands(): Record<string, string> {
  return files('ken/', 'toml', (command) => {
    const text = commandTemplate(command, '{{args}}')
    if (text.includes("'''")) throw new Error(`The text of ${command.name} would end its TOML string`)
    return `description = ${JSON.stringify(command.description)}\nprompt = '''\n${text}\n'''\n`
  })
}

/**
 * Skills for Codex, which has no commands; a person calls them as `$ken-check`. A command already covered by a skill
 * needs no second one.
 */
export function commandSkills(): Record<string, string> {
  const taught = new Set(SKILLS.map(({ name }) => name))
  const rest = COMMANDS.filter(({ name }) => !taught.has(`ken-${name}`)).map((command) =>
    skillFile(
      {
        name: `ken-${command.name}`,
        description: JSON.stringify(`${command.description} Use when the user asks for it by name.`),
        body: commandTemplate(command, `the ${command.argument} that the user named`),
      },
      'skill',
    ),
  )
  return Object.fromEntries(rest.map(({ path, content }) => [path, content]))
}

function markdown(folder: string, keys: readonly 'argument-hint'[]): Record<string, string> {
  return files(folder, 'md', (command) => {
    const hint = keys.map((key) => `${key}: ${JSON.stringify(`[${command.argument}]`)}\n`).join('')
    return `---\ndescription: ${JSON.stringify(command.description)}\n${hint}---\n\n${commandTemplate(command, '$ARGUMENTS')}\n`
  })
}

const files = (folder: string, ending: string, write: (command: Command) => string): Record<string, string> =>
  Object.fromEntries(COMMANDS.map((command) => [`${folder}${command.name}.${ending}`, write(command)]))
