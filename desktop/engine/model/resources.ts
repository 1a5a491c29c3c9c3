// What the desk reads of each resource. The feed carries the REST interface's JSON; a missing field is undefined.

import type { Withheld } from '@carrel/shared/sync/protocol';

export interface CourseJson {
  readonly id: number;
  readonly name?: string;
  readonly course_code?: string | null;
  readonly term?: { readonly name?: string | null } | null;
  readonly access_restricted_by_date?: boolean;
  readonly apply_assignment_group_weights?: boolean;
  readonly hide_final_grades?: boolean;
  readonly grading_standard_id?: number | null;
  readonly has_weighted_grading_periods?: boolean;
  readonly grading_periods?: readonly GradingPeriodJson[] | null;
  readonly syllabus_body?: string | null;
  readonly calendar?: { readonly ics?: string | null } | null;
}

export interface GradingPeriodJson {
  readonly id: number;
  readonly title?: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly close_date: string;
  readonly weight?: number | null;
}

export interface AssignmentGroupJson {
  readonly id: number;
  readonly name: string;
  readonly position: number;
  readonly group_weight?: number;
  readonly rules?: { readonly drop_lowest?: number; readonly drop_highest?: number; readonly never_drop?: readonly number[] };
}

export interface EnrollmentJson {
  readonly id: number;
  readonly type: string;
  readonly user_id?: number;
  /** Of an observer: the student. */
  readonly associated_user_id?: number | null;
  readonly observed_user?: { readonly id: number; readonly name?: string; readonly enrollments?: readonly EnrollmentJson[] } | null;
  readonly grades?: { readonly current_score?: number | null; readonly current_grade?: string | null };
}

export interface GroupJson {
  readonly id: number;
  readonly name: string;
  /** The name of its course or account. */
  readonly context_name?: string;
  readonly calendar?: { readonly ics?: string | null } | null;
  readonly members_count?: number;
  readonly leader?: { readonly id: number } | null;
}

/** A member of a group, as the list of members returns it. */
export interface MemberJson {
  readonly id: number;
  readonly name?: string;
  readonly display_name?: string;
}

export interface FolderJson {
  readonly id: number;
  readonly name: string;
  readonly parent_folder_id: number | null;
  /** It stores submissions. */
  readonly for_submissions?: boolean;
  /** Increases with every change; only from a server that checks it. */
  readonly version?: number;
  readonly files_count?: number;
  readonly folders_count?: number;
}

export interface FileJson {
  readonly id: number;
  /** Never changes while the file exists, and is never reused. */
  readonly uuid?: string;
  readonly folder_id: number | null;
  readonly display_name: string;
  readonly filename?: string;
  readonly 'content-type'?: string;
  /** Empty while locked. */
  readonly url?: string;
  readonly size: number;
  readonly sha256?: string;
  /** A number that increases with every change, from a server that checks it; a string in place of the hash, from one that sends no hashes. */
  readonly version?: number | string;
  readonly updated_at?: string | null;
  readonly modified_at?: string | null;
  readonly locked_for_user?: boolean;
  readonly lock_explanation?: string;
  readonly lock_info?: LockInfo;
  /** It was in the feed, and is inaccessible now. */
  readonly withheld?: Withheld;
}

/** Locked need not mean hidden: a topic closed for comments, or an assignment past its end, can still be read. */
export interface LockInfo {
  readonly can_view?: boolean;
  readonly lock_at?: string;
  readonly unlock_at?: string;
  readonly context_module?: { readonly name: string };
}

/** Whether its text cannot be read now. */
export const isShut = ({ locked_for_user, lock_info }: { readonly locked_for_user?: boolean; readonly lock_info?: LockInfo }): boolean =>
  locked_for_user === true && !lock_info?.can_view;

export interface PageJson {
  readonly page_id: number;
  readonly url: string;
  readonly title: string;
  readonly body?: string | null;
  readonly updated_at?: string | null;
  readonly front_page?: boolean;
  readonly todo_date?: string | null;
  readonly published?: boolean;
  /** For those who may change it, from a server that checks it. */
  readonly version?: string;
  /** Roles that may edit it, separated by commas. */
  readonly editing_roles?: string;
  readonly last_edited_by?: { readonly id?: number; readonly display_name?: string } | null;
  readonly locked_for_user?: boolean;
  readonly lock_explanation?: string;
  readonly lock_info?: LockInfo;
}

/** A revision of a page; in a list it has no text. */
export interface RevisionJson {
  readonly revision_id: number;
  readonly updated_at: string;
  readonly edited_by?: { readonly display_name?: string } | null;
  readonly title?: string;
  readonly body?: string | null;
}

export interface AssignmentJson {
  readonly id: number;
  readonly course_id: number;
  readonly html_url?: string | null;
  readonly name: string;
  readonly description?: string | null;
  readonly due_at?: string | null;
  readonly unlock_at?: string | null;
  readonly lock_at?: string | null;
  readonly points_possible?: number | null;
  readonly assignment_group_id?: number;
  readonly position?: number;
  readonly omit_from_final_grade?: boolean;
  readonly grading_type?: string;
  readonly submission_types?: readonly string[];
  readonly allowed_extensions?: readonly string[];
  /** -1: unlimited. */
  readonly allowed_attempts?: number;
  readonly rubric?: readonly CriterionJson[] | null;
  readonly use_rubric_for_grading?: boolean;
  readonly grading_standard_id?: number | null;
  readonly post_manually?: boolean;
  readonly anonymize_students?: boolean;
  readonly group_category_id?: number | null;
  readonly grade_group_students_individually?: boolean;
  readonly moderated_grading?: boolean;
  readonly grades_published?: boolean;
  readonly in_closed_grading_period?: boolean;
  readonly only_visible_to_overrides?: boolean;
  readonly has_overrides?: boolean;
  readonly updated_at?: string | null;
  readonly published?: boolean;
  /** For those who may change it, from a server that checks it. */
  readonly version?: string;
  /** For those who may change it: whether it can be unpublished. */
  readonly unpublishable?: boolean;
  /** For graders. */
  readonly needs_grading_count?: number;
  readonly locked_for_user?: boolean;
  readonly lock_explanation?: string;
  readonly lock_info?: LockInfo;
  readonly discussion_topic?: { readonly id: number } | null;
}

export interface SubmissionJson {
  readonly id: number;
  readonly assignment_id: number;
  readonly user_id?: number;
  readonly workflow_state: string;
  readonly attempt?: number | null;
  readonly extra_attempts?: number | null;
  readonly body?: string | null;
  readonly url?: string | null;
  readonly submission_comments?: readonly CommentJson[];
  readonly rubric_assessment?: Readonly<
    Record<string, { readonly points?: number | null; readonly rating_id?: string | null; readonly comments?: string | null }>
  > | null;
  readonly submitted_at?: string | null;
  readonly grade?: string | null;
  readonly score?: number | null;
  readonly late?: boolean;
  readonly missing?: boolean;
  readonly excused?: boolean | null;
  readonly posted_at?: string | null;
}

/** Whether the student sees the grade: it is hidden until it is posted. */
export const isGradeShown = (submission: SubmissionJson | undefined): boolean =>
  submission?.workflow_state === 'graded' && submission.posted_at !== null;

export interface CommentJson {
  readonly id: number;
  readonly author_id?: number | null;
  readonly author_name?: string | null;
  readonly comment?: string | null;
  readonly created_at: string;
  readonly attachments?: readonly AttachmentJson[];
}

export interface CriterionJson {
  readonly id: string;
  readonly description?: string | null;
  readonly long_description?: string | null;
  readonly points?: number | null;
  readonly ratings?: readonly {
    readonly id?: string;
    readonly description?: string | null;
    readonly long_description?: string | null;
    readonly points?: number | null;
  }[];
}

export interface ModuleJson {
  readonly id: number;
  readonly name: string;
  readonly position: number;
  readonly state?: string | null;
  readonly unlock_at?: string | null;
  readonly items?: readonly ModuleItemJson[];
}

export interface ModuleItemJson {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly position?: number;
  readonly indent?: number;
  readonly content_id?: number | null;
  readonly page_url?: string | null;
  readonly external_url?: string | null;
  readonly html_url?: string | null;
  readonly completion_requirement?: {
    readonly type: string;
    readonly min_score?: number;
    readonly min_percentage?: number;
    readonly completed?: boolean;
  } | null;
}

export interface TopicJson {
  readonly id: number;
  readonly title: string;
  readonly message?: string | null;
  readonly posted_at?: string | null;
  readonly created_at?: string | null;
  readonly delayed_post_at?: string | null;
  readonly todo_date?: string | null;
  readonly lock_at?: string | null;
  readonly read_state?: string;
  readonly is_announcement?: boolean;
  readonly assignment_id?: number | null;
  readonly user_name?: string | null;
  readonly author?: { readonly id?: number; readonly display_name?: string } | null;
  readonly locked_for_user?: boolean;
  readonly lock_explanation?: string;
  readonly lock_info?: LockInfo;
  readonly pinned?: boolean;
  readonly last_reply_at?: string | null;
  readonly discussion_subentry_count?: number;
  readonly unread_count?: number;
  readonly require_initial_post?: boolean;
  readonly user_can_see_posts?: boolean;
  readonly comments_disabled?: boolean;
  readonly permissions?: { readonly reply?: boolean; readonly attach?: boolean };
  readonly attachments?: readonly AttachmentJson[];
}

export interface AttachmentJson {
  readonly id: number;
  readonly display_name: string;
  readonly size?: number;
  readonly url?: string;
  readonly 'content-type'?: string;
}

/** A whole discussion, as `…/view` returns it. */
export interface DiscussionJson {
  readonly participants?: readonly { readonly id: number; readonly display_name?: string }[];
  readonly unread_entries?: readonly number[];
  readonly view?: readonly EntryJson[];
}

export interface EntryJson {
  readonly id: number;
  readonly user_id?: number;
  readonly user_name?: string | null;
  readonly created_at: string;
  readonly updated_at?: string;
  readonly message?: string | null;
  readonly deleted?: boolean;
  readonly attachment?: AttachmentJson;
  readonly replies?: readonly EntryJson[];
}

export interface ConversationJson {
  readonly id: number;
  readonly subject?: string | null;
  readonly workflow_state: string;
  readonly last_message?: string | null;
  readonly last_message_at?: string | null;
  readonly last_authored_message?: string | null;
  readonly last_authored_message_at?: string | null;
  readonly message_count?: number;
  readonly starred?: boolean;
  readonly context_name?: string | null;
  readonly participants?: readonly { readonly id: number; readonly name?: string }[];
  readonly audience?: readonly number[];
  readonly cannot_reply?: boolean;
  /** The newest first; only if the conversation was requested by its id. */
  readonly messages?: readonly MessageJson[];
}

export interface MessageJson {
  readonly id: number;
  readonly author_id: number;
  readonly created_at: string;
  readonly generated?: boolean;
  readonly body: string;
  readonly attachments?: readonly AttachmentJson[];
}

export interface AccountNotificationJson {
  readonly id: number;
  readonly subject: string;
  readonly message: string;
  readonly icon?: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly author?: { readonly name: string } | null;
}

/** The server orders by this: a delayed topic appears when its delay ends. */
export const announcedAtOf = ({ delayed_post_at, posted_at, created_at }: TopicJson): string | null =>
  delayed_post_at ?? posted_at ?? created_at ?? null;

export interface EventJson {
  readonly id: number;
  readonly title: string;
  readonly start_at?: string | null;
  readonly end_at?: string | null;
  readonly all_day?: boolean;
  readonly all_day_date?: string | null;
  readonly html_url?: string | null;
  readonly updated_at?: string | null;
  readonly description?: string | null;
  readonly location_name?: string | null;
  readonly context_code?: string;
  readonly effective_context_code?: string | null;
  readonly workflow_state?: string;
  readonly hidden?: boolean;
}

export interface NoteJson {
  readonly id: number;
  readonly title: string;
  readonly details?: string | null;
  readonly todo_date: string;
  readonly course_id?: number | null;
  readonly workflow_state?: string;
}

export interface OverrideJson {
  readonly id: number;
  readonly plannable_type: string;
  readonly plannable_id: number;
  readonly marked_complete: boolean;
  readonly dismissed?: boolean;
  readonly workflow_state?: string;
}
