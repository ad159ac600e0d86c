type ChipLook = { look?: 'plain' | 'on' | 'add'; body?: 'whole' | 'parts' }

/**
 * Class names of a filter chip (app/frame.css); `on` marks the chips that decide what the page
 * shows. A chip in `parts`: each part has its own padding and hover.
 */
export function chipClass({ look = 'plain', body = 'whole' }: ChipLook = {}): string {
  return `chip chip-${look} chip-${body}`
}
