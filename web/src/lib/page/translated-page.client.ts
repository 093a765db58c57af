/*
 * Keeps a page alive, and what changes on it in sight, whatever else changes it. A browser that translates, an aid to reading or an
 * extension takes texts out of a page and puts something of its own in their place. React knows its own nodes alone: it fails as soon
 * as it removes such a text or inserts something before it (facebook/react#11538), and what it writes into it nobody sees. So once
 * React turns to a node that is no longer in its place, what was taken with it is put back and what came instead is removed; whoever
 * translates then translates it again, like all that comes later. Loaded before React renders (decision translated-pages).
 */

/** What happened to the children of an element at one time. */
type Change = {
  parent: Node
  /** All that were there before, meanwhile or afterwards, in their order. */
  children: Node[]
  added: Node[]
}

/** The change that last took a node out of its place. */
const changes = new WeakMap<Node, Change>()
/** The change that last took anything out of an element. */
const changesIn = new WeakMap<Node, Change>()
/** Nodes that were removed by `removeChild`, as React does it. */
const removedByCall = new WeakSet<Node>()
/** What a text said before somebody else wrote into it. */
const written = new WeakMap<Node, string | null>()

const { insertBefore, removeChild, replaceChild } = Node.prototype
const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')!

const observer = new MutationObserver(note)
observer.observe(document, { childList: true, characterData: true, characterDataOldValue: true, subtree: true })

function note(records: MutationRecord[]) {
  for (const { type, target, oldValue } of records)
    if (type === 'characterData' && !written.has(target)) written.set(target, oldValue)
  const found = new Map<Node, Change>()
  for (const { target, addedNodes, removedNodes, nextSibling } of records.reverse()) {
    const change = found.get(target) ?? { parent: target, children: [...target.childNodes], added: [] }
    found.set(target, change)
    change.added.push(...addedNodes)
    const place = nextSibling ? change.children.indexOf(nextSibling) : change.children.length
    change.children.splice(place, 0, ...[...removedNodes].filter((node) => !change.children.includes(node)))
  }
  for (const change of found.values())
    for (const node of change.children) {
      if (node.parentNode === change.parent) continue
      changes.set(node, change)
      changesIn.set(change.parent, change)
    }
}

/** Puts back a node that React is about to use, if it was taken out of its place, and all of React's that were taken from there with it. */
function putBack(node: Node) {
  note(observer.takeRecords())
  const change = changes.get(node) ?? (node.parentNode && changesIn.get(node.parentNode))
  if (!change) return
  const { parent, children, added } = change
  // under this name React keeps what it knows about a node; nodes of others have nothing like it
  const key = Object.keys(node).find((name) => name.startsWith('__reactFiber'))
  const isReacts = (child: Node) => key !== undefined && key in child
  // what React itself removed at that time stays away
  const wasTaken = (child: Node) =>
    changes.get(child) === change && isReacts(child) && (removedByCall.has(node) || !removedByCall.has(child))
  const taken = children.filter((child) => child.parentNode !== parent && (child === node || wasTaken(child)))
  if (taken.length === 0) return
  let next: Node | null = children.findLast((child) => child.parentNode === parent)?.nextSibling ?? null
  for (const child of children.toReversed()) {
    if (taken.includes(child)) {
      insertBefore.call(parent, child, next)
      changes.delete(child)
      removedByCall.delete(child)
    }
    if (child.parentNode !== parent) continue
    next = child
    if (written.has(child)) setText(child, written.get(child)!)
  }
  for (const child of added) if (child.parentNode === parent && !isReacts(child)) removeChild.call(parent, child)
  observer.takeRecords()
}

function setText(node: Node, text: string | null) {
  nodeValue.set!.call(node, text)
  written.delete(node)
}

/** Returns whether a node is a child of another one, once it has been put back. */
function isChild(parent: Node, node: Node): boolean {
  if (node.parentNode !== parent) putBack(node)
  return node.parentNode === parent
}

Object.assign(Node.prototype, {
  removeChild(this: Node, child: Node) {
    if (isChild(this, child)) removeChild.call(this, child)
    else (child as ChildNode).remove()
    removedByCall.add(child)
    return child
  },
  insertBefore(this: Node, node: Node, next: Node | null) {
    return insertBefore.call(this, node, next && isChild(this, next) ? next : null)
  },
  replaceChild(this: Node, node: Node, child: Node) {
    if (isChild(this, child)) replaceChild.call(this, node, child)
    else this.appendChild(node)
    return child
  },
})
Object.defineProperty(Node.prototype, 'nodeValue', {
  ...nodeValue,
  set(this: Node, value: string | null) {
    putBack(this)
    setText(this, value)
    observer.takeRecords()
  },
})
