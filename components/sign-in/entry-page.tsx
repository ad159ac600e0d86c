import type { InputHTMLAttributes, ReactNode } from 'react'
import { Wordmark } from '#components/frame/wordmark.tsx'
import { Banner } from '#components/primitives/banner.tsx'

/** The look of a field on the pages before the desk. */
export const ENTRY_INPUT =
  'h-9 w-full rounded-md border border-line2 bg-bg px-2.5 text-[14px] aria-invalid:border-bad max-md:text-[16px]'

type EntryPageProps = {
  title: string
  /** What the page is for, in a sentence. */
  about: ReactNode
  message?: { tone: 'good' | 'bad'; text: string } | null
  children?: ReactNode
}

/** A page for somebody who is not signed in: one small form. */
export function EntryPage({ title, about, message, children }: EntryPageProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-side px-4 pb-[10vh]">
      <div className="w-full max-w-[340px]">
        <p className="mb-6 text-[16px]">
          <Wordmark />
        </p>
        <h1 className="font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <p className="mt-0.5 mb-5 text-[13px] text-ink2">{about}</p>
        {message && (
          <Banner tone={message.tone} className="mb-4 rounded-r-md">
            {message.text}
          </Banner>
        )}
        {children}
        <p className="mt-4 text-[13px]">
          <a href="/sign-in" className="underline">
            Back to signing in
          </a>
        </p>
      </div>
    </main>
  )
}

/** One labelled field. */
export function EntryField({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex flex-col gap-1 font-medium text-[13px]">
      {label}
      <input required className={ENTRY_INPUT} {...input} />
    </label>
  )
}
