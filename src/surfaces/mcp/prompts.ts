import { COMMANDS, commandText } from '../../setup/domain/commands.ts'

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly about: string
  text(about: string | undefined): string
}

const on = (about: string | undefined): string => (about?.trim() ? `\n\nAbout: ${about.trim()}` : '')

/** The commands that clients with command files also get, and prompts for occasional use. */
export const PROMPTS: readonly Prompt[] = [
  ...COMMANDS.map((command) => ({
    name: command.name,
    title: command.title,
    description: command.description,
    about: `The ${command.argument}; without one: ${command.otherwise}.`,
    text: (about: string | undefined) => commandText(command, about),
  })),
  {
    name: 'adopt',
    title: 'Seed the record from this repository',
    description: 'Read the repository and propose its standing decisions for approval.',
    about: 'Where to look first.',
    text: (about) =>
      `Seed this project's record. Read README, docs, manifests and the main folders. Collect choices that bind future work: storage, protocols, structure, dependencies, conventions; for each, the evidence (file and line) and, where the text says so, what was turned down and why. Leave out what any reader sees at once. Ask me at most eight questions where the reason is not written anywhere. Then show the list; for every entry I approve call check_decision, then propose_decision. Put open points into flag_question and finish with one update_state that replaces the whole state.${on(about)}`,
  },
  {
    name: 'review',
    title: 'Review work against the record',
    description: 'Find where the current change contradicts recorded decisions.',
    about: 'What to review.',
    text: (about) =>
      `Review the current change against the record. List the files and the choices it makes; call check_decision for each choice (with files) and get_decision for each hit. Report contradictions and returns to rejected alternatives with file, line and decision number; say what is fine in one line. Propose supersessions only as suggestions.${on(about)}`,
  },
]
