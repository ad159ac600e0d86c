import { MissingPage } from '#components/states/missing-page.tsx'

export default function DeskNotFound() {
  return <MissingPage />
}
