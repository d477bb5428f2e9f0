export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly about: string
  text(about: string | undefined): string
}

const on = (about: string | undefined): string => (about?.trim() ? `\n\nAbout: ${about.trim()}` : '')

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'adopt',
    title: 'Seed the record from this repository',
    description: 'Read the repository and propose its standing decisions for approval.',
    about: 'Where to look first.',
    text: (about) =>
      `Seed this project's record. Read README, docs, manifests and the main folders. Collect choices that bind future work: storage, protocols, structure, dependencies, conventions; for each, the evidence (file and line) and, where the text says so, what was turned down and why. Leave out what any reader sees at once. Ask me at most eight questions where the reason is not written anywhere. Then show the list; for every entry I approve call check_decision, then propose_decision. Put open points into flag_question and finish with one update_state that replaces the whole state.${on(about)}`,
  },
  {
    name: 'propose',
    title: 'Prepare a decision',
    description: 'Check an idea against the record and prepare the decision.',
    about: 'The idea.',
    text: (about) =>
      `Prepare a decision. Call check_decision with the idea, read each related hit with get_decision and tell me plainly what it agrees with, contradicts or would supersede. Compare at least two real alternatives under our constraints. Then draft title, rationale, rejected alternatives with reasons, confidence, reversibility and files affected, and wait for my approval before propose_decision.${on(about)}`,
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
