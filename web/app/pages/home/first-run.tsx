import type { Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { Command } from '../../kit/command.tsx'
import styles from './first-run.module.css'

/** Introduces Ken in three lines, and explains how to add content. */
export const FirstRun = ({ overview }: { overview: Calls['overview']['output'] }) => (
  <div className={styles.first}>
    <p className={styles.words}>
      Ken keeps what a project knows: what was decided and why, what agents and people said, and what the data means.
      Agents look it up before they propose something, and write down what was agreed.{' '}
      {isTeam()
        ? 'This server holds what the team shares; sessions and notes stay on your machine unless you share them.'
        : 'Everything lies in plain files on this machine, and nothing leaves it.'}
    </p>
    <ol className={styles.steps} aria-label="First steps">
      {isTeam() ? <TeamSteps /> : <OwnSteps hasRecord={overview.record !== undefined} />}
    </ol>
    {!isTeam() && (
      <p className={styles.example}>
        To look around in an example that is gone afterwards: <Command>ken demo</Command>
      </p>
    )}
  </div>
)

const OwnSteps = ({ hasRecord }: { hasRecord: boolean }) => (
  <>
    {hasRecord ? (
      <Step title="Record the first decision" why="With why, and what was turned down. `ken add` asks for the rest.">
        {FIRST_DECISION}
      </Step>
    ) : (
      <Step title="Start the record of this project" why="In a terminal, in the folder of the project.">
        ken init
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
  </>
)

const TeamSteps = () => {
  const [project, server] = [useProject(), location.origin]
  return (
    <>
      <Step title="Sign in at a terminal" why="Once on each machine; a browser opens.">
        {`ken auth login ${server}`}
      </Step>
      <Step title="Bind a repository to this project" why="In its folder. You can then work offline as well.">
        {`ken attach ${project} --server ${server}`}
      </Step>
      <Step title="Record the first decision" why="Everybody in the project sees it within a second.">
        {FIRST_DECISION}
      </Step>
      <Step title="Connect an agent" why="It checks before it proposes.">
        ken setup claude-code
      </Step>
    </>
  )
}

const FIRST_DECISION = 'ken add "One database for everything" --rationale "Two people can run one well"'

const Step = ({ title, why, children }: { title: string; why: string; children: string }) => (
  <li className={styles.step}>
    <h2 className={styles.title}>{title}</h2>
    <p className={styles.why}>{why}</p>
    <Command>{children}</Command>
  </li>
)
