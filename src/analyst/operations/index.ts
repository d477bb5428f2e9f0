import { entry } from '../../operations/registry-entry.ts'

/** Operations of this room, in display order. */
export const ANALYST_OPERATIONS = [
  entry('key_list', 'cli', ['keys', 'keys list'], () => import('./keys.ts').then((file) => file.keyList)),
  entry('key_set', 'cli', ['keys set'], () => import('./keys.ts').then((file) => file.keySet)),
  entry('key_remove', 'cli', ['keys remove', 'keys rm'], () => import('./keys.ts').then((file) => file.keyRemove)),
  entry('ask', 'data', ['ask'], () => import('./ask.ts').then((file) => file.ask)),
  entry('chats_list', 'app', ['chats', 'chats list'], () => import('./chats-list.ts').then((file) => file.chatsList)),
  entry('chat_show', 'app', ['chats show'], () => import('./chat-show.ts').then((file) => file.chatShow)),
  entry('chat_rename', 'app', ['chats rename'], () => import('./chat-changes.ts').then((file) => file.chatRename)),
  entry('chat_star', 'app', ['chats star'], () => import('./chat-changes.ts').then((file) => file.chatStar)),
  entry('chat_delete', 'app', ['chats delete', 'chats rm'], () =>
    import('./chat-changes.ts').then((file) => file.chatDelete),
  ),
  entry('chat_restore', 'app', ['chats restore'], () => import('./chat-changes.ts').then((file) => file.chatRestore)),
  entry('chat_export', 'app', ['chats export'], () => import('./chat-export.ts').then((file) => file.chatExport)),
  entry('usage', 'app', ['usage'], () => import('./usage.ts').then((file) => file.usage)),
  entry('clarify', 'analyst', ['clarify'], () => import('./clarify.ts').then((file) => file.clarify)),
  entry('suggest_follow_ups', 'analyst', ['suggest-follow-ups'], () =>
    import('./suggest-follow-ups.ts').then((file) => file.suggestFollowUps),
  ),
  entry('display_chart', 'data', ['display-chart'], () =>
    import('./display-chart.ts').then((file) => file.displayChart),
  ),
  entry('draw_chart', 'cli', ['chart'], () => import('./draw-chart.ts').then((file) => file.drawChart)),
  entry('chat_follow', 'app', ['chats follow'], () => import('./chat-follow.ts').then((file) => file.chatFollow)),
  entry('chat_stop', 'app', ['chats stop'], () => import('./chat-stop.ts').then((file) => file.chatStop)),
  entry('chat_branch', 'app', ['chats branch'], () => import('./chat-branch.ts').then((file) => file.chatBranch)),
  entry('chat_result', 'app', ['chats result'], () => import('./chat-result.ts').then((file) => file.chatResult)),
  entry('mentions', 'app', ['mentions'], () => import('./mentions.ts').then((file) => file.mentions)),
  entry('answerers', 'app', ['models answerers'], () => import('./answerers.ts').then((file) => file.answerers)),
  entry('story_from_answer', 'app', ['stories from-answer'], () =>
    import('./story-from-answer.ts').then((file) => file.storyFromAnswer),
  ),
  entry('chat_approve', 'app', ['chats approve'], () => import('./chat-approve.ts').then((file) => file.chatApprove)),
  entry('feedback', 'app', ['feedback'], () => import('./feedback.ts').then((file) => file.feedback)),
  entry('feedback_list', 'app', ['feedback list'], () => import('./feedback.ts').then((file) => file.feedbackList)),
  entry('inbox_list', 'app', ['inbox', 'inbox list'], () => import('./inbox.ts').then((file) => file.inboxList)),
  entry('inbox_show', 'app', ['inbox show'], () => import('./inbox.ts').then((file) => file.inboxShow)),
  entry('inbox_apply', 'app', ['inbox apply'], () => import('./inbox-settle.ts').then((file) => file.inboxApply)),
  entry('inbox_edit', 'app', ['inbox edit'], () => import('./inbox-settle.ts').then((file) => file.inboxEdit)),
  entry('inbox_dismiss', 'app', ['inbox dismiss'], () => import('./inbox-settle.ts').then((file) => file.inboxDismiss)),
  entry('inbox_undo', 'app', ['inbox undo'], () => import('./inbox-settle.ts').then((file) => file.inboxUndo)),
  entry('catch_up', 'app', ['catch-up'], () => import('./catch-up.ts').then((file) => file.catchUp)),
  entry('mcps_list', 'app', ['mcps', 'mcps list'], () => import('./mcps.ts').then((file) => file.mcpsList)),
  entry('mcps_test', 'app', ['mcps test'], () => import('./mcps.ts').then((file) => file.mcpsTest)),
  entry('memories_list', 'app', ['memories', 'memories list'], () =>
    import('./memories-list.ts').then((file) => file.memoriesList),
  ),
  entry('memories_add', 'app', ['memories add'], () => import('./memories-change.ts').then((file) => file.memoriesAdd)),
  entry('memories_edit', 'app', ['memories edit'], () =>
    import('./memories-change.ts').then((file) => file.memoriesEdit),
  ),
  entry('memories_forget', 'app', ['memories forget', 'memories rm'], () =>
    import('./memories-change.ts').then((file) => file.memoriesForget),
  ),
  entry('memories_undo', 'app', ['memories undo'], () =>
    import('./memories-change.ts').then((file) => file.memoriesUndo),
  ),
  entry('memories_history', 'app', ['memories history'], () =>
    import('./memories-list.ts').then((file) => file.memoriesHistory),
  ),
  entry('memories_export', 'app', ['memories export'], () =>
    import('./memories-list.ts').then((file) => file.memoriesExport),
  ),
  entry('memories_promote', 'app', ['memories promote'], () =>
    import('./memories-promote.ts').then((file) => file.memoriesPromote),
  ),
  entry('memories_learn', 'app', ['memories learn'], () =>
    import('./memories-learn.ts').then((file) => file.memoriesLearn),
  ),
  entry('remember', 'data', ['remember'], () => import('./remember.ts').then((file) => file.remember)),
  entry('story', 'analyst', ['story', 'stories write'], () => import('./story.ts').then((file) => file.story)),
  entry('story_new', 'app', ['stories new'], () => import('./story-new.ts').then((file) => file.storyNew)),
  entry('stories_list', 'app', ['stories', 'stories list'], () =>
    import('./stories.ts').then((file) => file.storiesList),
  ),
  entry('story_show', 'app', ['stories show'], () => import('./stories.ts').then((file) => file.storyShow)),
  entry('story_versions', 'app', ['stories versions'], () => import('./stories.ts').then((file) => file.storyVersions)),
  entry('story_diff', 'app', ['stories diff'], () => import('./stories.ts').then((file) => file.storyDiff)),
  entry('story_edit', 'app', ['stories edit'], () => import('./story-edit.ts').then((file) => file.storyEdit)),
  entry('story_restore', 'app', ['stories restore'], () => import('./story-edit.ts').then((file) => file.storyRestore)),
  entry('story_archive', 'app', ['stories archive'], () => import('./story-edit.ts').then((file) => file.storyArchive)),
  entry('story_unarchive', 'app', ['stories unarchive'], () =>
    import('./story-edit.ts').then((file) => file.storyUnarchive),
  ),
  entry('story_refresh', 'app', ['stories refresh'], () =>
    import('./story-refresh.ts').then((file) => file.storyRefresh),
  ),
  entry('story_schedule', 'app', ['stories schedule'], () =>
    import('./story-refresh.ts').then((file) => file.storySchedule),
  ),
  entry('story_comments', 'app', ['stories comments'], () =>
    import('./story-comments.ts').then((file) => file.storyComments),
  ),
  entry('story_comment', 'app', ['stories comment'], () =>
    import('./story-comment.ts').then((file) => file.storyComment),
  ),
  entry('story_comment_resolve', 'app', ['stories resolve'], () =>
    import('./story-comment.ts').then((file) => file.storyCommentResolve),
  ),
  entry('story_comment_remove', 'app', ['stories remove-comment'], () =>
    import('./story-comment.ts').then((file) => file.storyCommentRemove),
  ),
  entry('story_export', 'app', ['stories export'], () => import('./story-export.ts').then((file) => file.storyExport)),
]
