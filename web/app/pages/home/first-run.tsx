import type { Calls } from '../../api/call.ts'
import { Command } from '../../kit/command.tsx'
import styles from './first-run.module.css'

/** What Ken is in three lines, and what fills it. */
export const FirstRun = ({ overview }: { overview: Calls['overview']['output'] }) => (
  <div className={styles.first}>
    <p className={styles.words}>
      Ken keeps what a project knows: what was decided and why, what agents and people said, and what the data means.
      Agents look it up before they propose something, and write down what was agreed. Everything lies in plain files on
      this machine, and nothing leaves it.
    </p>
    <ol className={styles.steps} aria-label="First steps">
      {overview.record === undefined ? (
        <Step title="Start the record of this project" why="In a terminal, in the folder of the project.">
          ken init
        </Step>
      ) : (
        <Step title="Record the first decision" why="With why, and what was turned down. `ken add` asks for the rest.">
          ken add "One database for everything" --rationale "Two people can run one well"
        </Step>
      )}
      <Step title="Connect an agent" why="It checks before it proposes. Settings shows what would be written first.">
        ken setup claude-code
      </Step>
      <Step title="Bring in what agents said before" why="Their own files are only read; secrets are taken out.">
        ken harvest
      </Step>
      <Step title="Compile a database into files that an agent can read" why="For questions about data.">
        ken init-context --database duckdb:shop.duckdb
      </Step>
    </ol>
    <p className={styles.example}>
      To look around in an example that is gone afterwards: <Command>ken demo</Command>
    </p>
  </div>
)

const Step = ({ title, why, children }: { title: string; why: string; children: string }) => (
  <li className={styles.step}>
    <h2 className={styles.title}>{title}</h2>
    <p className={styles.why}>{why}</p>
    <Command>{children}</Command>
  </li>
)
