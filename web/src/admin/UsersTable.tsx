import { Trash2 } from 'lucide-react'
import type { AdminUser } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Props = { users: AdminUser[]; onDelete: (user: AdminUser) => void }

/** Lists users by email address and name. On a phone each of them is a card. */
export function UsersTable({ users, onDelete }: Props) {
  return (
    <table className="block w-full sm:table sm:table-fixed" aria-label={m.admin_users_title()}>
      <thead className="sr-only sm:not-sr-only">
        <tr className="border-b border-line text-left text-sm text-ink-soft">
          <th scope="col" className="w-1/2 py-3 pl-6 font-bold">
            {m.admin_users_email()}
          </th>
          <th scope="col" className="px-4 py-3 font-bold">
            {m.admin_users_name()}
          </th>
          <th scope="col" className="w-44 py-3 pr-6 text-right font-bold">
            {m.admin_users_actions()}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {users.map((user) => (
          <tr
            key={user.id}
            className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 px-5 pt-4 pb-1.5 sm:table-row sm:p-0"
          >
            <td id={`email-${user.id}`} className="col-span-2 font-bold wrap-anywhere sm:py-2 sm:pl-6">
              <Link to={paths.adminUser(user.id)} className="link">
                {user.email}
              </Link>
            </td>
            <td className="text-ink-soft wrap-anywhere sm:px-4 sm:py-2">
              {user.full_name ?? (
                <>
                  <span aria-hidden="true">—</span>
                  <span className="sr-only">{m.admin_users_no_name()}</span>
                </>
              )}
            </td>
            <td className="-mr-4 whitespace-nowrap sm:mr-0 sm:py-2 sm:pr-2 sm:text-right">
              <Button
                variant="ghost"
                className="text-danger!"
                aria-describedby={`email-${user.id}`}
                onClick={() => onDelete(user)}
              >
                <Trash2 aria-hidden="true" className="size-5" />
                {m.admin_users_delete()}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
