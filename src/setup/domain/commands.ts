/** A named command for people inside a client: `/ken:check …`, a server prompt, or a skill. */
export interface Command {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The text after the name. */
  readonly argument: string
  /** The default subject without an argument. */
  readonly otherwise: string
  /** Instructions for the agent, including the form of the answer. */
  readonly body: string
}

export const COMMANDS: readonly Command[] = [
  {
    name: 'check',
    title: 'Check an idea against the record',
    description:
      'Does an idea agree with what was decided here? Names the decisions it follows, contradicts or reintroduces.',
    argument: 'idea',
    otherwise: 'what this session is about to do',
    body: `Check this against the project's record, and change nothing.

1. Call check_decision with the idea in a sentence or two, and with \`files\` if you know which it touches.
2. Read every hit that it calls strong or related with get_decision. The check finds, it does not judge: you do.
3. Answer in a few lines, with the ids (D42): what it agrees with, what it contradicts, which alternative that was turned
   down it brings back and why that lost. Then one of: go on; follow D… instead; D… would have to be replaced, shall I?
   If nothing recorded is about it, say that the record is silent. That is not permission.`,
  },
  {
    name: 'recall',
    title: 'What do we know about this?',
    description: 'Search earlier sessions, notes, decisions and documents, and answer with where it was said.',
    argument: 'question',
    otherwise: 'what this session is working on',
    body: `Answer from the project's memory, and change nothing.

1. Call memory_query with the question in plain words; an error message or a name goes in word for word.
2. Read the strong hits with memory_get, only the lines you need; decisions with get_decision.
3. Answer the question first, in a few sentences. Then say for each thing where it comes from (session, note, D42, file) and
   how old it is. Where two sources disagree, say so and which is newer. What the code can show, check in the code.
   If nothing was found, say so; do not fill in from what is usual elsewhere.`,
  },
  {
    name: 'decide',
    title: 'Prepare a decision and record it',
    description: 'Check a choice, weigh its alternatives, draft the decision, and record it once you agree.',
    argument: 'choice',
    otherwise: 'what was chosen in this session',
    body: `Prepare a decision, and record it only when I have said yes.

1. Call check_decision with the choice, read each related hit with get_decision, and tell me plainly what it agrees with,
   contradicts or would replace.
2. Name the real alternatives, at least one, and why each loses under our constraints. Ask me where the reason is not known;
   do not make one up.
3. Show the draft: the title as a statement, the rationale, the rejected alternatives with reasons, confidence,
   reversibility, files affected, and whether it adds or supersedes (which D…). Wait for my answer.
4. Then call propose_decision, and tell me the id. What stayed open goes to flag_question if I want it there.`,
  },
  {
    name: 'brief',
    title: 'What must I know now?',
    description:
      'Where the project stands for a task: state, open questions, latest decisions, and what earlier sessions learned.',
    argument: 'task',
    otherwise: 'the project as a whole',
    body: `Brief me on what I must know now, and change nothing.

1. Call get_context with level L1, unless its answer is already before you: state, open questions, latest decisions.
2. If a task is named, call memory_query with it, read strong hits with memory_get, and call check_decision with the task.
3. Answer on one screen: where things stand; what is decided that binds this task (D42 and its reason in half a line each);
   open questions that touch it; what earlier sessions tried, learned or left unfinished, with its age; what to do first.
   Leave out what does not bear on it, and mark what only an agent proposed and nobody accepted.`,
  },
]

/** Instructions to the agent when a person uses the command. */
export const commandText = (command: Command, about: string | undefined): string =>
  `${command.body}\n\nAbout: ${about?.trim() || command.otherwise}`

/** The command's instructions for a client that replaces `placeholder` with the user's words. */
export const commandTemplate = (command: Command, placeholder: string): string =>
  `${command.body}\n\nAbout: ${placeholder}\n(If nothing stands there: ${command.otherwise}.)`
