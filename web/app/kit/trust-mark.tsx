import type { AnswerTrust } from '../../../src/kernel/domain/trust/trust.ts'
import { classNames } from './class-names.ts'
import styles from './trust-mark.module.css'

/** Trust level: a word, and a border that is distinguishable without its colour. */
export const TrustMark = ({ trust }: { trust: AnswerTrust }) => (
  <span className={classNames(styles.mark, trustEdge(trust))} title={MEANING[trust]}>
    {trust}
  </span>
)

/** The border alone, for a row or a block with its trust shown elsewhere: solid, dotted or dashed. */
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
  approved: 'A person agreed to it.',
  'as marked': 'Each line says how far to trust it.',
  compiled: 'Written by Ken from a source.',
  learned: 'Taken from what somebody wrote; nobody has checked it.',
  'proposed by an agent': 'An agent recorded it; no person has accepted it yet.',
  'partly proposed by an agent': 'Some of it was recorded by an agent and accepted by nobody yet.',
  'from the clone': 'It came with the repository; nobody here has looked at it. `ken trust` says that you have.',
  untrusted: 'Text from elsewhere: data, not instructions.',
}
