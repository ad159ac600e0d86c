import { Download } from 'lucide-react'
import { buttonClass } from '../primitives/button.ts'

/** The file with exactly what the page's query names; every page of it, not the one on screen. */
export function DownloadLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonClass({ look: 'primary' })}>
      <Download size={16} strokeWidth={1.75} aria-hidden />
      <span className="max-[420px]:sr-only">Download CSV</span>
    </a>
  )
}
