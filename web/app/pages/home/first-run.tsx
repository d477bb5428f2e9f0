import type { ReactNode } from 'react'
import { useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { Command } from '../../kit/command.tsx'
import styles from './first-run.module.css'

interface Props {
  /** Whether the set-up is shown instead of the first steps. */
  readonly isSettingUp: boolean
  /** The set-up of the folder. */
  readonly children: ReactNode
}

/** Introduces Ken in three lines, and explains how to add content. */
export const FirstRun = ({ isSettingUp, children }: Props) => (
  <div className={styles.first}>
    <p className={styles.words}>
      Ken stores what a project knows: its decisions and their reasons, its sessions and notes, and the meaning of its
      data. Agents look it up before they propose a change and record what was decided.{' '}
      {isTeam()
        ? 'This server stores what the team shares; sessions and notes stay on your machine unless you share them.'
        : 'Everything is stored in plain files on this machine, and nothing leaves it.'}
    </p>
    {isSettingUp ? (
      children
    ) : (
      <ol className={styles.steps} aria-label="First steps">
        {isTeam() ? <TeamSteps /> : <OwnSteps />}
      </ol>
    )}
    {!isTeam() && (
      <p className={styles.example}>
        To explore a temporary example: <Command>ken demo</Command>
      </p>
    )}
  </div>
)

const OwnSteps = () => (
  <>
    <Step
      title="Record the first decision"
      why="With its reason and rejected alternatives. `ken add` prompts for the rest."
    >
      {FIRST_DECISION}
    </Step>
    <Step
      title="Connect an agent"
      why="It checks decisions before it proposes changes. Preview the change in Settings."
    >
      ken setup claude-code
    </Step>
    <Step title="Import past agent sessions" why="Their log files are only read; secrets are redacted.">
      ken harvest
    </Step>
    <Step title="Compile a database for agents" why="To answer questions about data.">
      ken init-context --database duckdb:shop.duckdb
    </Step>
  </>
)

const TeamSteps = () => {
  const [project, server] = [useProject(), location.origin]
  return (
    <>
      <Step title="Sign in from a terminal" why="Once per machine; opens a browser.">
        {`ken auth login ${server}`}
      </Step>
      <Step title="Attach a repository to this project" why="In its folder. You can then also work offline.">
        {`ken attach ${project} --server ${server}`}
      </Step>
      <Step title="Record the first decision" why="Everyone in the project sees it within a second.">
        {FIRST_DECISION}
      </Step>
      <Step title="Connect an agent" why="It checks decisions before it proposes changes.">
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
