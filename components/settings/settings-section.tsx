import type { ReactNode } from 'react'
import { Banner } from '#components/primitives/banner.tsx'

/** How a form of the page ended, and in which section it stands. */
export type SectionMessage = { section: string; tone: 'good' | 'bad'; text: string } | null

type SettingsSectionProps = {
  /** The anchor that a redirect after its form leads to. */
  id: string
  title: string
  /** What it is for, in a sentence. */
  about: ReactNode
  message?: SectionMessage
  children: ReactNode
}

/** One part of a page of settings: what it is about at the left, what can be done at the right. */
export function SettingsSection({ id, title, about, message, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-x-8 gap-y-3 border-b px-5 py-5 last:border-b-0 md:grid-cols-[minmax(200px,280px)_minmax(0,640px)] max-md:px-4"
    >
      <div>
        <h2 id={`${id}-title`} className="font-semibold text-[14px] leading-5">
          {title}
        </h2>
        <p className="mt-0.5 text-[13px] text-ink2 leading-5">{about}</p>
      </div>
      <div className="min-w-0">
        {message?.section === id && (
          <Banner tone={message.tone} className="mb-3 rounded-r-md">
            {message.text}
          </Banner>
        )}
        {children}
      </div>
    </section>
  )
}
