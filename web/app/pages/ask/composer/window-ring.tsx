import { Tooltip } from '../../../kit/tooltip.tsx'
import type { ChatLog } from '../chat-log.ts'
import css from './window-ring.module.css'

/** Usage of the model's context window after the last answer. */
export const WindowRing = ({ log }: { log: ChatLog | undefined }) => {
  const window = log?.messages.findLast(({ end }) => end?.window !== undefined)?.end?.window
  if (window === undefined || window.size <= 0) return null
  const share = Math.min(1, window.used / window.size)
  const percent = share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`
  const words = `${percent} of the model’s context window: ${window.used.toLocaleString('en')} of ${window.size.toLocaleString('en')} tokens`
  return (
    <Tooltip text={words}>
      <button type="button" className={css.ring} aria-label={words} data-full={share >= 0.75 || undefined}>
        <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
          <circle className={css.track} cx={8} cy={8} r={6} />
          <circle
            className={css.used}
            cx={8}
            cy={8}
            r={6}
            pathLength={100}
            strokeDasharray={`${Math.max(2, share * 100)} 100`}
          />
        </svg>
        <span>{percent}</span>
      </button>
    </Tooltip>
  )
}
