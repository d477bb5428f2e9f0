import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './button.module.css'

export interface ButtonLook {
  /** One button per place is `primary`; `bad` is for irreversible actions; `quiet` has no border. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'bad'
  readonly size?: 'small' | 'middle'
  readonly icon?: IconName
  /** On narrow screens only its icon is shown; its name is still read out. */
  readonly folds?: boolean
  /** Working: cannot be pressed again, but keeps the focus. */
  readonly busy?: boolean
}

type Props = ButtonLook & Omit<ComponentPropsWithRef<'button'>, 'children'> & { readonly children: ReactNode }

export const Button = ({
  look = 'plain',
  size = 'middle',
  icon,
  folds = false,
  busy = false,
  children,
  ...rest
}: Props) => (
  <button
    type="button"
    {...rest}
    className={classNames(styles.button, styles[look], styles[size], folds && styles.folds, rest.className)}
    aria-disabled={busy || rest['aria-disabled'] || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {icon && <Icon name={icon} size={size === 'small' ? 14 : 16} />}
    {folds ? <span>{children}</span> : children}
  </button>
)

type IconProps = Omit<Props, 'children' | 'icon'> & { readonly icon: IconName; readonly label: string }

/** A button with only an icon; `label` is its accessible name. Put it into a `Tooltip` if the icon is not enough. */
export const IconButton = ({ look = 'quiet', icon, label, className, ...rest }: IconProps) => (
  <Button look={look} aria-label={label} className={classNames(styles.alone, className)} icon={icon} {...rest}>
    {null}
  </Button>
)
