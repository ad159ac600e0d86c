type ButtonLook = {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'normal' | 'small' | 'icon' | 'step'
}

/**
 * Class names of a button, also for links that look like one (app/frame.css). At most one primary
 * per page.
 */
export function buttonClass({ look = 'plain', size = 'normal' }: ButtonLook = {}): string {
  return `button button-${look} button-${size}`
}
