/** A section of docs/quality.md: a suite and the figures shown. */
export interface EvalLine {
  readonly title: string
  /** Explanation of the figures. */
  readonly what: string
  readonly suite: string
  readonly figures: readonly { readonly set?: string; readonly measure: RegExp }[]
  /** Sums the figures instead of showing them side by side. */
  readonly sum?: true
  readonly percent?: true
  /** Published figures of other systems. */
  readonly beside?: string
}

export const EVAL_LINES: readonly EvalLine[] = [
  {
    title: 'Search: the right session first',
    what: 'The right session of a long conversation ranked first, over 1,982 questions (LoCoMo). The ranking was tuned with this set.',
    suite: 'retrieval-public',
    figures: [{ set: 'LoCoMo sessions', measure: /^Hit@1$/ }],
    percent: true,
    beside: '75.2 % published for BM25 with e5-large',
  },
  {
    title: 'Search: superseded records and titles',
    what: 'A superseded record found by its own title, and the document ranked first for "how does its title work".',
    suite: 'retrieval-public',
    figures: [
      { set: 'Superseded, by its own title', measure: /^(?:Hit@1|any@10)$/ },
      { set: '"How does T work?"', measure: /^Hit@1$/ },
    ],
    percent: true,
  },
  {
    title: 'Search: this repository',
    what: 'The decision, guide or source file of Ken itself among the first five hits, for 128 questions in other words.',
    suite: 'retrieval',
    figures: [
      { set: 'own record', measure: /^any@5$/ },
      { set: 'own guides', measure: /^any@5$/ },
      { set: 'own code', measure: /^any@5$/ },
    ],
    percent: true,
  },
  {
    title: 'Memory: hits reported, and silence',
    what: 'Questions to `ken query` that get a hit reported as evidence (`strong` or `related`). Found: the first hit holds the evidence, and is reported. Any hit counts for the others: evidence missed by the first hit, questions about another conversation, and questions about something never said, in LoCoMo mostly of another person, in BEAM about a known subject.',
    suite: 'memory-verdicts',
    figures: [{ measure: /./ }],
    percent: true,
  },
  {
    title: 'Memory: a coding session of the days before',
    what: 'Questions about twelve recorded sessions of a coding agent: the right session first, and the answer in the text of the first hit or of three.',
    suite: 'next-day',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Memory: long chats as one session',
    what: 'Questions about chats of some 200 messages (BEAM), each indexed as one session: an answering message within the lines that a hit names.',
    suite: 'whole-sessions',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Check: an easier set',
    what: 'Paraphrased proposals whose decision `ken check` ranks first, or among five.',
    suite: 'check',
    figures: [{ set: 'easier set, its own record', measure: /^(?:the decision first|among five)$/ }],
  },
  {
    title: 'Check: five domains',
    what: 'The same in five domains with proposals meant to be hard.',
    suite: 'check',
    figures: [{ set: 'five domains, its own record', measure: /^(?:the decision first|among five)$/ }],
  },
  {
    title: 'Check: public ADRs',
    what: 'Decisions among the ADRs of 15 public projects that `ken check` reports for a proposal that touches them; and unrelated proposals reported as `related` or `strong`.',
    suite: 'check-adrs',
    figures: [
      {
        set: 'ADRs, each project alone',
        measure: /^(?:told related|unrelated told related|unrelated told strong)$/,
      },
    ],
  },
  {
    title: 'Check: public ADRs in one record',
    what: 'The same with the ADRs of all projects in one record.',
    suite: 'check-adrs',
    figures: [
      {
        set: 'ADRs, all projects in one record',
        measure: /^(?:told related|unrelated told related|unrelated told strong)$/,
      },
    ],
  },
  {
    title: 'Brief: this repository',
    what: 'Evidence for a question about this repository that `ken brief` keeps within a token budget.',
    suite: 'brief',
    figures: [{ set: 'own record', measure: /^evidence kept/ }],
    percent: true,
  },
  {
    title: 'Brief: long conversations',
    what: 'The same for long conversations (LoCoMo, every tenth question). Both halves were seen during development.',
    suite: 'brief-public',
    figures: [{ set: 'LoCoMo', measure: /^evidence kept/ }],
    percent: true,
  },
  {
    title: 'Rejected alternatives',
    what: 'Rejected alternatives recognized by name in proposals, and false alarms.',
    suite: 'rejections',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Guard',
    what: 'Changes that reintroduce a rejected alternative, and false alarms: changes of all kinds, then changes that name vendors and services. When the new rules first ran, the held-out half of the latter gave 26 of 26 and 1 of 26.',
    suite: 'guard',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Drift',
    what: 'Decisions the code no longer follows, found by `ken drift`, and false alarms. All three sets have been seen since; when first run, the second gave 17 of 20 and 0 of 20, the third 26 of 39 and 1 of 44.',
    suite: 'drift',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Schema linking: an enterprise',
    what: 'Tables that a question needs among ten of 463 of a real enterprise (BEAVER): its warehouse and its cloud.',
    suite: 'beaver',
    figures: [{ measure: /^needed tables among ten$/ }],
    percent: true,
  },
  {
    title: 'Schema linking: a made-up company',
    what: 'Questions about a made-up company of 160 tables that can be answered from 2,000 and 8,000 tokens.',
    suite: 'company',
    figures: [{ measure: /^answerable questions$/ }],
  },
  {
    title: 'Undeclared joins and personal data',
    what: 'Undeclared joins of that company: found, and right among those reported; personal values in its compiled files.',
    suite: 'company',
    figures: [{ measure: /joins/ }, { measure: /^personal/ }],
  },
  {
    title: 'Schema in the analyst’s prompt',
    what: 'Needed tables and columns in the schema given to the analyst’s model, at 2,000 and 8,000 tokens: six databases of BEAVER, and its warehouse alone. When the warehouse alone first ran, at 8,000 tokens, the held-out half gave 95.1 % of the tables and 94.9 % of the columns.',
    suite: 'analyst-linking-public',
    figures: [{ measure: /^needed (?:tables|columns)$/ }],
    percent: true,
  },
  {
    title: 'Values named in a question',
    what: 'Questions whose value stands beside its column within 2,000 tokens, in a made-up archive with skewed values.',
    suite: 'values',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Aggregates over nothing',
    what: 'Aggregates that count nothing and are reported as such, those whose intended value is named, and false alarms. On its first run the held-out half gave 28 of 40, 16 of 24 and 0 of 65.',
    suite: 'empty',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Proven queries in the prompt',
    what: 'Paraphrased questions whose proven query reaches the analyst’s model, and other questions that get one.',
    suite: 'examples',
    figures: [{ measure: /given (?:their|an) example$/ }],
  },
  {
    title: 'Numbers of stories',
    what: 'Citations refused when a story is saved, numbers that follow their cells when rows change, and words of direction or rank that are doubted. On its first run the held-out half doubted 15 of 18.',
    suite: 'stories',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Analyst',
    what: 'The analyst on the demo shop with a scripted model: right table, repaired slips, invented figures flagged, right figures flagged, writes that ran.',
    suite: 'analyst',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Citations',
    what: 'Numbers in an answer that no query returned: marked, and marks that are right.',
    suite: 'citations',
    figures: [{ measure: /mark/ }],
  },
  {
    title: 'User memories',
    what: 'Preferences and facts to remember about a user, without a model: right among those kept, and kept among those expected.',
    suite: 'memory',
    figures: [{ set: 'rules, without a model', measure: /^(?:right|kept, of)/ }],
  },
  {
    title: 'Prompt injection: effects',
    what: 'Injected instructions, obeyed to the letter by a scripted model, that had an effect.',
    suite: 'injection',
    figures: [{ measure: /had an effect/ }],
    sum: true,
  },
  {
    title: 'Prompt injection: labels',
    what: 'Hostile texts shown without a label, or able to close one.',
    suite: 'injection',
    figures: [{ measure: /label/ }],
    sum: true,
  },
  {
    title: 'SQL attacks',
    what: 'SQL attacks that got through on four engines.',
    suite: 'sql',
    figures: [{ measure: /^(?:scope|writes and files): attacks/ }],
    sum: true,
  },
  {
    title: 'SQL reads refused',
    what: 'Harmless reads that were refused.',
    suite: 'sql',
    figures: [{ measure: /reads refused$/ }],
    sum: true,
  },
  {
    title: 'Secrets',
    what: 'Secrets caught, and false alarms.',
    suite: 'secrets',
    figures: [{ set: 'secrets', measure: /./ }],
  },
  {
    title: 'Secrets in prose',
    what: 'Secrets caught in sentences of four languages, encoded or in pieces.',
    suite: 'secrets',
    figures: [{ set: 'as written', measure: /./ }],
  },
  {
    title: 'Personal data',
    what: 'Personal values masked, false alarms, and values left in files of `ken sync`.',
    suite: 'personal',
    figures: [{ measure: /./ }],
  },
  {
    title: 'Damage',
    what: 'Changed bytes of a record that `ken verify` notices.',
    suite: 'flips',
    figures: [{ measure: /./ }],
    sum: true,
  },
]
