import { useEffect, useState } from 'react'
import { Button, IconButton, type ButtonLook } from './button.tsx'
import { copyText } from './copy-text.ts'

type Props = Pick<ButtonLook, 'look' | 'size'> & {
  /** Text to copy; a function if it is expensive to create. */
  readonly text: string | (() => string | Promise<string>)
  readonly label?: string
  /** Shows only the icon, with the label as its accessible name. */
  readonly alone?: boolean
}

/** Copies the text, and confirms it for two seconds. */
export const CopyButton = ({ text, label = 'Copy', alone = false, look = 'quiet', size = 'small' }: Props) => {
  const [said, setSaid] = useState<'Copied' | 'Could not copy'>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    const whole = typeof text === 'string' ? text : await text()
    setSaid((await copyText(whole)) ? 'Copied' : 'Could not copy')
  }
  const icon = said === 'Copied' ? 'check' : 'copy'
  return (
    <>
      {alone ? (
        <IconButton look={look} size={size} icon={icon} label={label} title={label} onClick={() => void copy()} />
      ) : (
        <Button look={look} size={size} icon={icon} onClick={() => void copy()}>
          {said ?? label}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}
