from django.urls import path
from django.views.generic import RedirectView

from games.site.web import accounts, boards, pages, secondfactor, sessions, studies
from games.site.web.preview import preview

urlpatterns = [
    path("", pages.lobby, name="lobby"),
    path("runs", pages.runs, name="runs_page"),
    # Whoever takes the end off an address comes to the list.
    path("m/", RedirectView.as_view(url="/runs")),
    path("e/", RedirectView.as_view(url="/experiments")),
    path("m/<str:run_id>", pages.run, name="run"),
    path("m/<str:run_id>/calls", pages.calls, name="calls_page"),
    path("tv", pages.tv, name="tv"),
    path("m/<str:run_id>/projector", pages.projector, name="projector"),
    path("m/<str:run_id>/preview.png", preview, name="preview"),
    path("m/<str:run_id>/embed", pages.embed, name="embed"),
    path("new/<str:game>", pages.new, name="new"),
    path("boards/<str:game>/<str:digest>.js", boards.board, name="board"),
    path("models", pages.models, name="models_page"),
    path("register", pages.register, name="register_page"),
    path("learning", pages.learning, name="learning_page"),
    path("phenomena", pages.phenomena, name="phenomena_page"),
    path("phenomena.csv", pages.phenomena_csv, name="phenomena_csv"),
    path("sources", pages.sources, name="sources_page"),
    path("sources.csv", pages.sources_csv, name="sources_csv"),
    path("sources/<str:game>", pages.sources, name="source_page"),
    path("experiments", pages.experiments, name="experiments_page"),
    path("experiments/new", pages.experiment_new, name="experiment_new_page"),
    path("e/<str:slug>", pages.experiment, name="experiment_page"),
    path("join", studies.entry, name="entry"),
    path("join/<str:code>", pages.join, name="join"),
    path("play/<str:participant>", pages.play, name="play"),
    path("leave", accounts.leave, name="leave"),
    path("sign-in", accounts.sign_in, name="sign_in"),
    path("sign-in/code", secondfactor.sign_in_code, name="sign_in_code"),
    path("account", accounts.account, name="account"),
    path("account/second-factor", secondfactor.second_factor, name="second_factor"),
    path("account/sessions", secondfactor.sessions, name="sign_ins"),
    path("account/password", accounts.password, name="password"),
    path("s/<str:code>", studies.door, name="study_door"),
    path("me/<str:member>", studies.member, name="member"),
    path("me/<str:member>/sign", studies.sign, name="member_sign"),
    path("studies", sessions.studies, name="studies_page"),
    path("sessions/<int:session>", sessions.session_page, name="session"),
    path("sessions/<int:session>/<str:what>", sessions.session_data, name="session_data"),
    path("enter/<str:token>", pages.enter, name="enter"),
]
