import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { offerDrafts } from '~/auth/draft-handover'
import { NarrowLayout } from '~/frame/NarrowLayout'
import { LanguageOffer, LanguageSwitch } from '~/ui/LanguageSwitch'

/** Shows the pages for signing in and up. */
export default function AuthLayout() {
  useEffect(offerDrafts, [])
  return (
    <NarrowLayout offer={<LanguageOffer />} languages={<LanguageSwitch />} className="pt-6 sm:pt-12">
      <Outlet />
    </NarrowLayout>
  )
}
