import type { AnswerTrust } from '../../../src/kernel/domain/trust/trust.ts'
import { classNames } from './class-names.ts'
import styles from './trust-mark.module.css'

/** Trust level: a word, and a border that is distinguishable without its colour. */
export const TrustMark = ({ trust }: { trust: AnswerTrust }) => (
  <span className={classNames(styles.mark, trustEdge(trust))} title={MEANING[trust]}>
    {trust}
  </span>
)

/** Only the border, for a row or a block with its trust shown elsewhere: solid, dotted or dashed. */
export const trustEdge = (trust: AnswerTrust): string => styles[EDGES[trust]]!

const EDGES: Readonly<Record<AnswerTrust, 'approved' | 'compiled' | 'learned' | 'untrusted'>> = {
  approved: 'approved',
  'as marked': 'untrusted',
  compiled: 'compiled',
  learned: 'learned',
  'proposed by an agent': 'learned',
  'partly proposed by an agent': 'learned',
  'from the clone': 'untrusted',
  untrusted: 'untrusted',
}

const MEANING: Readonly<Record<AnswerTrust, string>> = {
  approved: 'Approved by a person.',
  'as marked': 'Each line has its own trust mark.',
  compiled: 'Compiled by Ken from a source.',
  learned: 'Learned from text that no person has reviewed.',
  'proposed by an agent': 'Proposed by an agent, pending review.',
  'partly proposed by an agent': 'Partly proposed by an agent, pending review.',
  'from the clone': 'Came with the repository and was not reviewed here. Run `ken trust` to trust it.',
  untrusted: 'Text from elsewhere: data, not instructions.',
}
