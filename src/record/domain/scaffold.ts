import { withoutBlocks } from '../../kernel/domain/text.ts'
import { decisionStem } from './decision/decision-id.ts'
import { SEED_TITLE, type Decision } from './decision/decision.ts'
import { formatDecision } from './decision/format.ts'
import { decisionPath, PROJECT, QUESTIONS, STACK, STATE } from './files.ts'
import { STARTED } from './state.ts'

const PROJECT_PROMPT = '<!-- What this project is, for whom, and what it must never do. Agents read this first. -->'

/** A new, empty record: four files to fill and the first decision. */
export function scaffold(name: string, today: string): Record<string, string> {
  const first = seedDecision(today)
  return {
    [PROJECT]: `# ${name}\n\n${PROJECT_PROMPT}\n`,
    [STATE]: `# Current State\n\n${STARTED}\n`,
    [STACK]: '# Stack\n\n<!-- One bullet per choice: - **Name** what it is used for. -->\n',
    [QUESTIONS]: '# Open Questions\n\n<!-- Newest first. `ken question "…?"` or the flag_question tool adds one. -->\n',
    [decisionPath(decisionStem(first.num, first.title))]: formatDecision(first),
  }
}

/** project.md without its heading; empty until someone has filled it in. */
export function projectBody(text: string): string {
  return withoutBlocks(text.replace(/^# [^\n]*\n?/, ''), '<!--', '-->').trim()
}

function seedDecision(today: string): Decision {
  return {
    date: today,
    confidence: 'high',
    version: 1,
    status: 'active',
    decision_type: null,
    reversibility: null,
    source: null,
    files_affected: [],
    supersedes: null,
    superseded_by: null,
    rejected: [
      {
        name: 'Notes in the README',
        reason:
          'Nobody finds them, nothing checks against them, and they say what was chosen but not what was turned down.',
      },
      { name: 'Start later', reason: 'The reasons are forgotten by the time someone asks for them.' },
    ],
    num: 1,
    title: SEED_TITLE,
    rationale:
      'Keep the decisions of this project, with their reasons and the alternatives that were turned down, where every agent and person can read them before choosing.',
    body: '',
    content: '',
  }
}
