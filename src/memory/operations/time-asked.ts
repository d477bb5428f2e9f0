import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import { timeInQuestion, type QuestionTime } from '../domain/question/question-time.ts'
import { releaseInQuestion, timeOfRelease } from '../domain/question/release-in-question.ts'

/** The time that a question names, also as a tag or commit of the repository around the caller. */
export async function timeAsked(ctx: Given<'memory' | 'record'>, text: string): Promise<QuestionTime | undefined> {
  const now = ctx.clock.now().getTime()
  const time = timeInQuestion(text, now)
  const asked = time === undefined ? releaseInQuestion(text) : undefined
  if (asked === undefined) return time
  const release = await releaseNamed(ctx, asked.revisions).catch((fault: unknown) => {
    // A search also works without git, and if git is too slow.
    if (fault instanceof AppError) return undefined
    throw fault
  })
  return release && timeOfRelease(asked, release, now)
}

async function releaseNamed(
  ctx: Given<'record'>,
  revisions: 'latest' | readonly string[],
): Promise<{ at: number; name: string } | undefined> {
  const commits = (await ctx.repository())?.commits
  if (commits === undefined) return undefined
  if (revisions === 'latest') return commits.lastVersion()
  for (const revision of revisions) {
    const commit = await commits.named(revision)
    if (commit !== undefined) return { at: commit.at, name: revision.replace('refs/tags/', '') }
  }
  return undefined
}
