// The table of contents of the API: one line per domain.

import { accountCalendarRoutes } from './domains/account_calendars/routes';
import { accountNotificationRoutes } from './domains/account_notifications/routes';
import { accountRoutes } from './domains/accounts/routes';
import { activityStreamRoutes } from './domains/activity_stream/routes';
import { adminConsoleRoutes } from './domains/admin_console/routes';
import { adminRoutes } from './domains/admins/routes';
import { announcementRoutes } from './domains/announcements/routes';
import { appointmentGroupRoutes } from './domains/appointment_groups/routes';
import { assignmentGroupRoutes } from './domains/assignment_groups/routes';
import { assignmentOverrideRoutes } from './domains/assignment_overrides/routes';
import { assignmentRoutes } from './domains/assignments/routes';
import { authenticationAuditRoutes } from './domains/audit/authentication_routes';
import { courseAuditRoutes } from './domains/audit/course_routes';
import { authenticationProviderRoutes } from './domains/authentication_providers/routes';
import { blueprintSubscriptionRoutes } from './domains/blueprint_subscriptions/routes';
import { blueprintTemplateRoutes } from './domains/blueprint_templates/routes';
import { bookmarkRoutes } from './domains/bookmarks/routes';
import { brandVariableRoutes } from './domains/brand_variables/routes';
import { calendarEventRoutes } from './domains/calendar_events/routes';
import { timetableRoutes } from './domains/calendar_events/timetable_routes';
import { calendarFeedRoutes } from './domains/calendar_feeds/routes';
import { collaborationRoutes } from './domains/collaborations/routes';
import { commMessageRoutes } from './domains/comm_messages/routes';
import { communicationChannelRoutes } from './domains/communication_channels/routes';
import { conferenceRoutes } from './domains/conferences/routes';
import { contentLicenseRoutes } from './domains/content_licenses/routes';
import { conversationRoutes } from './domains/conversations/routes';
import { courseCopyRoutes } from './domains/course_copy/routes';
import { courseNicknameRoutes } from './domains/course_nicknames/routes';
import { courseUserRoutes } from './domains/course_users/routes';
import { courseRoutes } from './domains/courses/routes';
import { customDataRoutes } from './domains/custom_data/routes';
import { dateDetailsRoutes } from './domains/date_details/routes';
import { developerKeyRoutes } from './domains/developer_keys/routes';
import { discussionArrangeRoutes } from './domains/discussion_topics/arrange_routes';
import { discussionEntryRoutes } from './domains/discussion_topics/entry_routes';
import { discussionReadRoutes } from './domains/discussion_topics/read_routes';
import { discussionTopicRoutes } from './domains/discussion_topics/routes';
import { effectiveDueDateRoutes } from './domains/effective_due_dates/routes';
import { bulkEnrollmentRoutes } from './domains/enrollments/bulk_routes';
import { enrollmentRoutes } from './domains/enrollments/routes';
import { eportfolioPageRoutes } from './domains/eportfolios/page_routes';
import { eportfolioRoutes } from './domains/eportfolios/routes';
import { externalFeedRoutes } from './domains/external_feeds/routes';
import { favoriteRoutes } from './domains/favorites/routes';
import { featureRoutes } from './domains/features/routes';
import { fileRoutes } from './domains/files/routes';
import { fileVersionRoutes } from './domains/files/version_routes';
import { folderRoutes } from './domains/folders/routes';
import { groupCategoryFileRoutes } from './domains/group_categories/file_routes';
import { groupCategoryPeopleRoutes } from './domains/group_categories/people_routes';
import { groupCategoryRoutes } from './domains/group_categories/routes';
import { newGroupRoutes } from './domains/groups/making_routes';
import { membershipRoutes } from './domains/groups/membership_routes';
import { groupPlaceRoutes } from './domains/groups/place_routes';
import { groupRoutes } from './domains/groups/routes';
import { jobRoutes } from './domains/jobs/routes';
import { jwtRoutes } from './domains/jwts/routes';
import { forgottenRoutes } from './domains/login/forgotten_routes';
import { openidRoutes } from './domains/login/openid_routes';
import { doorRoutes } from './domains/login/routes';
import { sessionRoutes } from './domains/login/session_routes';
import { moduleBatchRoutes } from './domains/modules/batch_routes';
import { courseProgressRoutes } from './domains/modules/course_progress_routes';
import { moduleItemRoutes } from './domains/modules/item_routes';
import { moduleItemUseRoutes } from './domains/modules/item_use_routes';
import { moduleOverrideRoutes } from './domains/modules/override_routes';
import { moduleRoutes } from './domains/modules/routes';
import { notificationPreferenceRoutes } from './domains/notification_preferences/routes';
import { authorizeRoutes } from './domains/oauth2/authorize_routes';
import { oauth2Routes } from './domains/oauth2/routes';
import { observerRoutes } from './domains/observers/routes';
import { pageViewRoutes } from './domains/page_views/routes';
import { pageRevisionRoutes } from './domains/pages/revision_routes';
import { pageRoutes } from './domains/pages/routes';
import { plannerRoutes } from './domains/planner/routes';
import { profileRoutes } from './domains/profile/routes';
import { progressRoutes } from './domains/progress/routes';
import { reportRoutes } from './domains/reports/routes';
import { requestCountRoutes } from './domains/request_counts/routes';
import { roleRoutes } from './domains/roles/routes';
import { scopeRoutes } from './domains/scopes/routes';
import { publicIndexRoutes } from './domains/search/public_index_routes';
import { searchRoutes } from './domains/search/routes';
import { sectionRoutes } from './domains/sections/routes';
import { setupRoutes } from './domains/setup/routes';
import { sisImportRoutes } from './domains/sis_imports/routes';
import { smartSearchRoutes } from './domains/smartsearch/routes';
import { studentViewRoutes } from './domains/student_view/routes';
import { submissionRoutes } from './domains/submissions/routes';
import { syncRoutes } from './domains/sync/routes';
import { tabRoutes } from './domains/tabs/routes';
import { termRoutes } from './domains/terms/routes';
import { todoRoutes } from './domains/todo/routes';
import { tokenRoutes } from './domains/tokens/routes';
import { topicFeedRoutes } from './domains/topic_feeds/routes';
import { userMergeRoutes } from './domains/user_merges/routes';
import { userRoutes } from './domains/users/routes';
import type { Endpoint } from './http/endpoint';

export const endpoints: readonly Endpoint[] = [
  ...doorRoutes,
  ...forgottenRoutes,
  ...setupRoutes,
  ...adminConsoleRoutes,
  ...jobRoutes,
  ...requestCountRoutes,
  ...sessionRoutes,
  ...openidRoutes,
  ...authenticationProviderRoutes,
  ...authenticationAuditRoutes,
  ...courseAuditRoutes,
  ...calendarEventRoutes,
  ...timetableRoutes,
  ...calendarFeedRoutes,
  ...topicFeedRoutes,
  ...bookmarkRoutes,
  ...collaborationRoutes,
  ...conferenceRoutes,
  ...externalFeedRoutes,
  ...appointmentGroupRoutes,
  ...accountRoutes,
  ...accountCalendarRoutes,
  ...accountNotificationRoutes,
  ...blueprintTemplateRoutes,
  ...blueprintSubscriptionRoutes,
  ...brandVariableRoutes,
  ...eportfolioRoutes,
  ...eportfolioPageRoutes,
  ...activityStreamRoutes,
  ...adminRoutes,
  ...jwtRoutes,
  ...authorizeRoutes,
  ...oauth2Routes,
  ...plannerRoutes,
  ...profileRoutes,
  ...progressRoutes,
  ...reportRoutes,
  ...roleRoutes,
  ...termRoutes,
  ...todoRoutes,
  ...tokenRoutes,
  ...observerRoutes,
  ...pageViewRoutes,
  ...customDataRoutes,
  ...userMergeRoutes,
  ...userRoutes,
  ...submissionRoutes,
  ...syncRoutes,
  ...assignmentGroupRoutes,
  ...assignmentOverrideRoutes,
  ...assignmentRoutes,
  ...dateDetailsRoutes,
  ...developerKeyRoutes,
  ...commMessageRoutes,
  ...communicationChannelRoutes,
  ...notificationPreferenceRoutes,
  ...contentLicenseRoutes,
  ...courseRoutes,
  ...conversationRoutes,
  ...discussionTopicRoutes,
  ...discussionArrangeRoutes,
  ...discussionEntryRoutes,
  ...discussionReadRoutes,
  ...announcementRoutes,
  ...scopeRoutes,
  ...searchRoutes,
  ...publicIndexRoutes,
  ...smartSearchRoutes,
  ...effectiveDueDateRoutes,
  ...studentViewRoutes,
  ...enrollmentRoutes,
  ...bulkEnrollmentRoutes,
  ...sectionRoutes,
  ...sisImportRoutes,
  ...groupCategoryRoutes,
  ...groupCategoryPeopleRoutes,
  ...groupCategoryFileRoutes,
  ...groupRoutes,
  ...newGroupRoutes,
  ...membershipRoutes,
  ...groupPlaceRoutes,
  ...favoriteRoutes,
  ...courseCopyRoutes,
  ...courseNicknameRoutes,
  ...courseUserRoutes,
  ...tabRoutes,
  ...featureRoutes,
  ...fileRoutes,
  ...fileVersionRoutes,
  ...folderRoutes,
  ...pageRoutes,
  ...pageRevisionRoutes,
  ...moduleRoutes,
  ...moduleBatchRoutes,
  ...moduleItemRoutes,
  ...moduleItemUseRoutes,
  ...moduleOverrideRoutes,
  ...courseProgressRoutes,
];
