/** A line of the README's quality table: a suite and the figures shown. */
export interface EvalLine {
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
    what: 'the right session of a long conversation first, of 1,982 questions (LoCoMo; the ranking was tuned with it)',
    suite: 'retrieval-public',
    figures: [{ set: 'LoCoMo sessions', measure: /^Hit@1$/ }],
    percent: true,
    beside: '75.2 % published for BM25 with e5-large',
  },
  {
    what: 'a superseded record first, and among ten, by its own title; the document first by "how does its title work"',
    suite: 'retrieval-public',
    figures: [
      { set: 'Laid aside, by its own title', measure: /^(?:Hit@1|any@10)$/ },
      { set: '"How does T work?"', measure: /^Hit@1$/ },
    ],
    percent: true,
  },
  {
    what: 'the decision, the guide, the source file of Ken itself among five, asked in other words, of 128 questions',
    suite: 'retrieval',
    figures: [
      { set: 'own record', measure: /^any@5$/ },
      { set: 'own guides', measure: /^any@5$/ },
      { set: 'own code', measure: /^any@5$/ },
    ],
    percent: true,
  },
  {
    what: 'paraphrases whose decision `ken check` has first and among five: an easier set',
    suite: 'check',
    figures: [{ set: 'easier set, its own record', measure: /^(?:the decision first|among five)$/ }],
  },
  {
    what: 'the same in five domains that are meant to be hard',
    suite: 'check',
    figures: [{ set: 'five domains, its own record', measure: /^(?:the decision first|among five)$/ }],
  },
  {
    what: 'decisions among the ADRs of 15 public projects that `ken check` tells for a proposal that touches them; unrelated proposals told `related`, `strong`',
    suite: 'check-adrs',
    figures: [
      {
        set: 'ADRs, each project alone',
        measure: /^(?:told related|unrelated told related|unrelated told strong)$/,
      },
    ],
  },
  {
    what: 'the same with the ADRs of all projects in one record',
    suite: 'check-adrs',
    figures: [
      {
        set: 'ADRs, all projects in one record',
        measure: /^(?:told related|unrelated told related|unrelated told strong)$/,
      },
    ],
  },
  {
    what: 'evidence for a question about this repository that `ken brief` keeps in 500, 1,000, 2,000, 4,000 and 8,000 tokens',
    suite: 'brief',
    figures: [{ set: 'own record', measure: /^evidence kept/ }],
    percent: true,
  },
  {
    what: 'the same of long conversations (LoCoMo, every tenth question; both halves were in view)',
    suite: 'brief-public',
    figures: [{ set: 'LoCoMo', measure: /^evidence kept/ }],
    percent: true,
  },
  {
    what: 'rejected alternatives found by name in what people propose; false alarms',
    suite: 'rejections',
    figures: [{ measure: /./ }],
  },
  {
    what: 'changes that bring back what was rejected; false alarms (changes of all kinds, then those that name vendors and services, whose half kept back gave 26 of 26 and 1 of 26 when the new rules first ran)',
    suite: 'guard',
    figures: [{ measure: /./ }],
  },
  {
    what: 'decisions that the code has left behind, told by `ken drift`; false alarms (three sets, all in view now; when first run the second gave 17 of 20 and 0 of 20, the third 26 of 39 and 1 of 44)',
    suite: 'drift',
    figures: [{ measure: /./ }],
  },
  {
    what: 'tables that a question needs among ten of 463 of a real enterprise (BEAVER): its warehouse, its cloud',
    suite: 'beaver',
    figures: [{ measure: /^needed tables among ten$/ }],
    percent: true,
  },
  {
    what: 'questions about a made-up company of 160 tables that could be answered from 2,000 and 8,000 tokens',
    suite: 'company',
    figures: [{ measure: /^answerable questions$/ }],
  },
  {
    what: 'joins of that company that nobody declared: found; right, of those that are told; personal values in its files',
    suite: 'company',
    figures: [{ measure: /joins/ }, { measure: /^personal/ }],
  },
  {
    what: 'needed tables in what the analyst’s model is told, at 2,000 and 8,000 tokens of schema (BEAVER)',
    suite: 'analyst-linking-public',
    figures: [{ measure: /^needed tables$/ }],
    percent: true,
  },
  {
    what: 'the analyst on the demo shop, a scripted model: right table; slips mended; made-up figures flagged; right ones flagged; writes that ran',
    suite: 'analyst',
    figures: [{ measure: /./ }],
  },
  {
    what: 'numbers of an answer that no query gave: marked; marks that are right',
    suite: 'citations',
    figures: [{ measure: /mark/ }],
  },
  {
    what: 'what is to be remembered of a user, without a model: right, of what is kept; kept, of what should be',
    suite: 'memory',
    figures: [{ set: 'rules, without a model', measure: /^(?:right|kept, of)/ }],
  },
  {
    what: 'orders in what a model reads and obeys to the letter: those that had an effect',
    suite: 'injection',
    figures: [{ measure: /had an effect/ }],
    sum: true,
  },
  {
    what: 'hostile texts told without a label, or that could close it',
    suite: 'injection',
    figures: [{ measure: /label/ }],
    sum: true,
  },
  {
    what: 'SQL attacks let through on four engines',
    suite: 'sql',
    figures: [{ measure: /^(?:scope|writes and files): attacks/ }],
    sum: true,
  },
  { what: 'SQL reads refused', suite: 'sql', figures: [{ measure: /reads refused$/ }], sum: true },
  { what: 'secrets caught; false alarms', suite: 'secrets', figures: [{ set: 'secrets', measure: /./ }] },
  {
    what: 'secrets caught in sentences of four languages, encoded or in pieces',
    suite: 'secrets',
    figures: [{ set: 'as written', measure: /./ }],
  },
  {
    what: 'personal values masked; false alarms; left in files of `ken sync`',
    suite: 'personal',
    figures: [{ measure: /./ }],
  },
  {
    what: 'changed bytes of a record that `ken verify` notices',
    suite: 'flips',
    figures: [{ measure: /./ }],
    sum: true,
  },
]
